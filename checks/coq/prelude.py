"""What every exported file starts with: small lemmas, proved there, and the tactics of the proofs."""

LIBRARIES = """From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.
"""

# Signs of closed numbers are computed where the lemma has any; elsewhere nothing beyond the reals is needed.
INTERVAL = """From Coquelicot Require Import Hierarchy RInt.
From Interval Require Import Tactic.
Ltac closed_sign := interval with (i_prec 100).
"""

CLOSED = """
(* The normal distribution function, by the integral of its density from 0. *)
Definition Phi (x : R) := 1 / 2 + RInt (fun t => exp (- t ^ 2 / 2)) 0 x / sqrt (2 * PI).

(* Closed relations: exactly where they are rational, else by enclosures. *)
Ltac decide_one :=
  rewrite ?exp_ln by lra; rewrite ?asin_0, ?asin_1, ?sqrt_0, ?sqrt_1; try (rewrite asin_atan by lra);
  first
  [ exact I
  | lra
  | field
  | assumption
  | interval with (i_prec 120)
  | unfold Phi; integral with (i_prec 60, i_fuel 100)
  | nonzero
  | sign ].

Ltac decide_closed := repeat match goal with |- _ /\\ _ => split end; decide_one.
"""

PLAIN = "Ltac closed_sign := fail.\n"

PRELUDE = """
Lemma root_of : forall a b : R, 0 <= b -> b * b = a -> sqrt a = b.
Proof. intros a b Hb E. rewrite <- E. apply sqrt_square. exact Hb. Qed.

Lemma exp_times : forall (n : nat) (x : R), exp x ^ n = exp (IZR (Z.of_nat n) * x).
Proof.
  induction n; intro x.
  - simpl. rewrite Rmult_0_l, exp_0. reflexivity.
  - rewrite <- tech_pow_Rmult, IHn, <- exp_plus. f_equal. rewrite Nat2Z.inj_succ, succ_IZR. ring.
Qed.

Lemma zero_times : forall m h : R, h = 0 -> m * h = 0.
Proof. intros m h E. rewrite E. ring. Qed.

Lemma zero_plus : forall a b : R, a = 0 -> b = 0 -> a + b = 0.
Proof. intros a b E F. rewrite E, F. ring. Qed.

Lemma from_zero : forall a : R, a = 0 -> 0 <= a.
Proof. intros a E. rewrite E. apply Rle_refl. Qed.

Lemma le_by : forall a b : R, a = b -> 0 <= b -> 0 <= a.
Proof. intros a b E H. rewrite E. exact H. Qed.

Lemma lt_by : forall a b : R, a = b -> 0 < b -> 0 < a.
Proof. intros a b E H. rewrite E. exact H. Qed.

Lemma zero_by : forall a b : R, a = b -> b = 0 -> a = 0.
Proof. intros a b E H. rewrite E. exact H. Qed.

Lemma nonzero_pos : forall a : R, 0 < a -> a <> 0.
Proof. intros a H. apply Rgt_not_eq. exact H. Qed.

Lemma nonzero_neg : forall a : R, 0 < - a -> a <> 0.
Proof. intros a H E. rewrite E in H. lra. Qed.

(* The sign of an expression from the signs of its parts and of what is assumed. *)
Ltac sign :=
  first
  [ assumption
  | lra
  | match goal with
    | |- 0 < exp _ => apply exp_pos
    | |- 0 <= exp _ => left; apply exp_pos
    | H : forall t, 0 < ?f t |- 0 < ?f _ => apply H
    | H : forall t, 0 < ?f t |- 0 <= ?f _ => left; apply H
    | |- 0 <= sqrt _ => apply sqrt_pos
    | |- 0 < sqrt _ => apply sqrt_lt_R0; sign
    | |- 0 < / _ => apply Rinv_0_lt_compat; sign
    | |- 0 <= / _ => left; apply Rinv_0_lt_compat; sign
    | |- 0 < _ / _ => apply Rdiv_lt_0_compat; sign
    | |- 0 < _ * _ => apply Rmult_lt_0_compat; sign
    | |- 0 <= _ * _ => apply Rmult_le_pos; sign
    | |- 0 <= _ ^ 2 => apply pow2_ge_0
    | |- 0 < _ ^ _ => apply pow_lt; sign
    | |- 0 <= _ ^ _ => apply pow_le; sign
    | |- 0 < _ + _ => apply Rplus_lt_le_0_compat; sign
    | |- 0 < _ + _ => apply Rplus_le_lt_0_compat; sign
    | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; sign
    end
  | nra
  | closed_sign ].

Ltac nonzero :=
  first [ assumption | apply nonzero_pos; sign | apply nonzero_neg; sign ].

Ltac nonzeros := repeat match goal with |- _ /\\ _ => split end; nonzero.

Ltac added :=
  first
  [ assumption
  | apply Rle_refl
  | apply from_zero; assumption
  | apply Rplus_le_le_0_compat; added
  | apply Rplus_lt_le_0_compat; added
  | apply Rplus_le_lt_0_compat; added
  | apply zero_plus; added ].
"""
