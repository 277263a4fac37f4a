"""On learning perceptrons with binary weights.

M. Golea, M. Marchand: On learning perceptrons with binary weights. Neural Computation
(1993); third draft, December 22, 1992.

======================  ============================================
figure 1 (algorithm)    :class:`rosenblatt.estimators.BinaryPerceptron`
figure 2a               :func:`figure_2a`
figure 2b               :func:`figure_2b`
figure 3                :func:`figure_3`
eq. (30)                :func:`figure_error`
section 5.1, end        :func:`figure_malicious`
======================  ============================================

Figures have the paper's n, numbers of samples and noise, and beside them exact curves
at these n. All lemmas, the theorem, its corollary and all equations that state a result
are claims. Running times are counted in examples read. The paper gives no number for
the phase transition of consistent rules; here consistent students are counted. Not
reproduced: NP-completeness.
"""

from rosenblatt.papers.decorators import collected
from rosenblatt.papers.golea1993 import (
    errata,
    errata_5,
    figure_claims,
    lemmas,
    noise,
    other_laws,
    product_laws,
    section_4,
    section_5,
    section_5_rates,
    theorem_1,
    transition,
)
from rosenblatt.papers.golea1993.figures import figure_2a, figure_2b, figure_3
from rosenblatt.papers.golea1993.product_laws import figure_malicious
from rosenblatt.papers.golea1993.section_5_rates import figure_error

__all__ = [
    "CLAIMS",
    "ERRATA",
    "PAPER",
    "figure_2a",
    "figure_2b",
    "figure_3",
    "figure_error",
    "figure_malicious",
]

CLAIMS = (
    *lemmas.CLAIMS,
    *theorem_1.CLAIMS,
    *section_4.CLAIMS,
    *section_5.CLAIMS,
    *section_5_rates.CLAIMS,
    *figure_claims.CLAIMS,
    *noise.CLAIMS,
    *product_laws.CLAIMS,
    *transition.CLAIMS,
    *other_laws.CLAIMS,
)

ERRATA = (*errata.ERRATA, *errata_5.ERRATA, *noise.ERRATA)

PAPER = collected(
    "golea1993",
    __doc__,
    "abstract, section 1, section 2, eqs. (1) to (2), section 3, section 3.1, "
    "section 3.2, eqs. (3) to (5), lemmas 1, 2, eqs. (6) to (10), lemma 3, figure 1, "
    "theorem 1, section 4, eq. (11), corollary 1, section 5, section 5.1, "
    "eqs. (12) to (29), figures 2, 2a, 2b, eq. (30), section 5.2, "
    "eqs. (31) to (34), figure 3, section 6",
    (figure_2a, figure_2b, figure_3, figure_error, figure_malicious, *CLAIMS, *ERRATA),
)
