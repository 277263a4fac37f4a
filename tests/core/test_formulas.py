import pytest

from rosenblatt.core.formulas import marked


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("falls as alpha^(-1/2).", r"falls as $\alpha ^{-1/2}$."),
        ("see eq. (3) and figure 2b", "see eq. (3) and figure 2b"),
        ("N to infinity", r"$N \to  \infty$"),
        ("of order N^-1/2, not r^2/M^2", "of order $N^{-1/2}$, not $r^{2}/M^{2}$"),
        ("R < 1 (R = 1 is stable)", "$R < 1$ ($R = 1$ is stable)"),
        ("at m = 1.5e4 (quick: 200)", r"at $m = 1.5 \times 10^{4}$ (quick: 200)"),
        ("a rate, I say, of 0.01", "a rate, I say, of 0.01"),
        ("sqrt(2 pi) w.B", r"$\sqrt{2 \pi } w.B$"),
        ("all they can do is w_err", r"all they can do is $w_{\mathrm{err}}$"),
        (r"left as it is: $x^2$", r"left as it is: $x^2$"),
        (
            "ratio of <dw^2>/<|dw|>",
            r"ratio of $\langle d w^{2}\rangle /\langle |d w|\rangle$",
        ),
        (
            "only if <sgn(f) g> = 0",
            r"only if $\langle \operatorname{sgn}(f) g\rangle  = 0$",
        ),
        ("some <words> and x < 2", "some <words> and $x < 2$"),
        ("w.w* >= M, w_(t+1)", r"$w.w^{*} \ge  M$, $w_{t+1}$"),
        ("N = 5,000, eta0", r"$N = 5,000$, $\eta_0$"),
    ],
)
def test_formulas_are_found_in_plain_text(text, tex):
    assert marked(text) == tex
