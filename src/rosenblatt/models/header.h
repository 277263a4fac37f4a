/* Parts of the headers that export_c writes. "@@ name" begins a part, and ${name} is
 * replaced by a value. */
@@ head
/* ${kind}, written by rosenblatt. C99, with the mathematics of the standard library.
 *
 *   int ${name}_predict(const double *x)     the number of the class of a row
${more} *   const char *${name}_label(int number)    its label, as text in UTF-8
 */
#ifndef ROSENBLATT_${upper}_H
#define ROSENBLATT_${upper}_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    ${name}_columns = ${columns},
    ${name}_models = ${models},
    ${name}_classes = ${classes}
};

static inline const char *${name}_label(int number)
{
    static const char *const labels[] = {
${labels}
    };
    return labels[number];
}
@@ regression_head
/* ${kind}, written by rosenblatt. C99, with the mathematics of the standard library.
 *
 *   double ${name}_predict(const double *x)     the mean of the target
 *   double ${name}_std(const double *x)         its standard deviation
${more} */
#ifndef ROSENBLATT_${upper}_H
#define ROSENBLATT_${upper}_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
    ${name}_columns = ${columns}
};
@@ functions

/* Write features of standardised inputs, and return the variance of their functions. */
static inline double ${name}_features(const double *z, int sines,
    const double *frequencies, const double *phases, const double *amplitudes,
    const double *covariance, double *f)
{
    double variance = 0.0;
    int i, j;
    for (j = 0; j < sines; j++) {
        double angle = phases[j];
        for (i = 0; i < ${name}_columns; i++)
            angle += frequencies[(long)j * ${name}_columns + i] * z[i];
        f[j] = amplitudes[j] * sin(angle);
    }
    for (i = 0; i < ${name}_columns; i++)
        f[sines + i] = z[i];
    for (i = 0; i < sines + ${name}_columns; i++) {
        double sum = 0.0;
        for (j = 0; j < i; j++)
            sum += *covariance++ * f[j];
        variance += (2.0 * sum + *covariance++ * f[i]) * f[i];
    }
    return variance > 0.0 ? variance : 0.0;
}
@@ regression

static inline double ${name}_law(const double *x, double *variance)
{
${functions}
    enum { parts = ${parts}, counts = ${counts} };
    double f[${features}], z[${name}_columns], m[parts], v[parts], mean = 0.0;
    int i, e;
    for (e = 0; e < parts; e++) {
        for (i = 0; i < ${name}_columns; i++) {
            z[i] = (x[i] - center[e][i]) * factor[e][i];
            z[i] = z[i] < -clips[e] ? -clips[e] : z[i] > clips[e] ? clips[e] : z[i];
        }
        v[e] = ${name}_features(z, sines[e], frequencies[e], phases[e], amplitudes[e],
            covariance[e], f);
        v[e] = wider[e] * (v[e] + floors[e]);
        for (m[e] = 0.0, i = 0; i < sines[e] + ${name}_columns; i++)
            m[e] += f[i] * means[e][i];
        if (counts) {
            m[e] = exp(m[e] + 0.5 * v[e]);
            v[e] = m[e] + m[e] * m[e] * expm1(v[e]);
        }
        mean += weights[e] * m[e];
    }
    for (*variance = 0.0, e = 0; e < parts; e++)
        *variance += weights[e] * (v[e] + (m[e] - mean) * (m[e] - mean));
    return mean;
}

static inline double ${name}_predict(const double *x)
{
    double variance;
    return ${name}_law(x, &variance);
}

static inline double ${name}_std(const double *x)
{
    double variance;
    ${name}_law(x, &variance);
    return sqrt(variance);
}
@@ tail

static inline int ${name}_best(const double *scores)
{
    int best = 0, k;
    if (${name}_models == 1)
        return scores[0] > 0.0;
    for (k = 1; k < ${name}_models; k++)
        if (scores[k] > scores[best])
            best = k;
    return best;
}

static inline int ${name}_predict(const double *x)
{
    double scores[${name}_models];
    ${name}_scores(x, scores);
    return ${name}_best(scores);
}
@@ scores
 *   void ${name}_scores(const double *x, double *scores)
@@ linear

static inline void ${name}_scores(const double *x, double *scores)
{
    static const double weights[] = {
${weights}
    };
    static const double offsets[] = {
${offsets}
    };
    int i, k;
    for (k = 0; k < ${name}_models; k++) {
        const double *w = weights + (long)k * ${name}_columns;
        double sum = 0.0;
        for (i = 0; i < ${name}_columns; i++)
            sum += w[i] * x[i];
        scores[k] = sum + offsets[k];
    }
}
@@ bits

enum { ${name}_words = ${words} };

static inline int ${name}_ones(uint64_t word)
{
    word -= (word >> 1) & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333))
         + ((word >> 2) & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((word * UINT64_C(0x0101010101010101)) >> 56);
}

static inline void ${name}_scores_bits(const uint64_t *row, double *scores)
{
    static const uint64_t signs[] = {
${signs}
    };
    static const uint64_t mask[] = {
${mask}
    };
    static const double offsets[] = {
${offsets}
    };
    int i, k;
    for (k = 0; k < ${name}_models; k++) {
        const uint64_t *s = signs + (long)k * ${name}_words;
        const uint64_t *m = mask + (long)k * ${name}_words;
        long sum = 0;
        for (i = 0; i < ${name}_words; i++)
            sum += ${name}_ones(m[i]) - 2 * ${name}_ones((row[i] ^ s[i]) & m[i]);
        scores[k] = (double)sum / ${divisor} + offsets[k];
    }
}

static inline void ${name}_scores(const double *x, double *scores)
{
    static const double edges[] = {
${edges}
    };
    uint64_t row[${name}_words] = { 0 };
    int i;
    for (i = 0; i < ${name}_columns; i++)
        if (x[i] > edges[i])
            row[i / 64] |= UINT64_C(1) << (i % 64);
    ${name}_scores_bits(row, scores);
}
@@ bits_tail

static inline int ${name}_predict_bits(const uint64_t *row)
{
    double scores[${name}_models];
    ${name}_scores_bits(row, scores);
    return ${name}_best(scores);
}
@@ predict_bits
 *   int ${name}_predict_bits(const uint64_t *row)
 *       Inputs have two levels: bit j of word k is column 64 k + j.
@@ probabilities
 *   void ${name}_probabilities(const double *x, double *p)
@@ belief

static inline void ${name}_softmax(double *p)
{
    double most = p[0], sum = 0.0;
    int k;
    for (k = 1; k < ${name}_classes; k++)
        most = p[k] > most ? p[k] : most;
    for (k = 0; k < ${name}_classes; k++)
        sum += p[k] = exp(p[k] - most);
    for (k = 0; k < ${name}_classes; k++)
        p[k] /= sum;
}

static inline double ${name}_between(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static inline void ${name}_odds(const double *x, const double *center,
    const double *factor, double clip, const double *mean, const double *spread,
    int full, double label_variance, double noise, double *odds)
{
    enum { weights = ${name}_columns + 1 };
    double z[weights];
    int i, j, k;
    for (i = 0; i < ${name}_columns; i++)
        z[i] = ${name}_between((x[i] - center[i]) * factor[i], -clip, clip);
    z[${name}_columns] = 1.0;
    for (k = 0; k < ${name}_models; k++) {
        double field = 0.0, variance = 0.0;
        for (i = 0; i < weights; i++)
            field += mean[(long)k * weights + i] * z[i];
        for (j = 0; full && j < weights; j++) {
            const double *root = spread + (long)k * weights * weights + j;
            double sum = 0.0;
            for (i = j; i < weights; i++)
                sum += root[(long)i * weights] * z[i];
            variance += sum * sum;
        }
        for (i = 0; !full && i < weights; i++)
            variance += spread[(long)k * weights + i] * z[i] * z[i];
        if (${name}_models == 1) {
            double u = field / sqrt(variance + label_variance);
            double small = 0.5 * erfc(fabs(u) * ${root_half});
            double clear = 1.0 - 2.0 * noise;
            double size = log((1.0 - small) * clear + noise)
                        - log(small * clear + noise);
            odds[0] = 0.0;
            odds[${name}_classes - 1] = ${name}_between(u < 0.0 ? -size : size,
                -${farthest}, ${farthest});
        } else
            odds[k] = field / sqrt(variance * ${pi_8} + label_variance);
    }
    if (${name}_models > 1) {
        double other = noise / (${name}_models - 1.0);
        ${name}_softmax(odds);
        for (k = 0; k < ${name}_models; k++) {
            double p = odds[k] * (1.0 - noise - other) + other;
            odds[k] = ${name}_between(log(p > ${smallest} ? p : ${smallest}),
                -${farthest}, ${farthest});
        }
    }
}

/* Add the probabilities of the layers of one part of a mixture. */
static inline void ${name}_mix(const double *layer, int layers, const double *odds,
    double *p)
{
    double part[${name}_classes];
    int k;
    for (; layers--; layer += ${name}_classes + 2) {
        for (k = 0; k < ${name}_classes; k++)
            part[k] = layer[1] * odds[k] + layer[2 + k];
        ${name}_softmax(part);
        for (k = 0; k < ${name}_classes; k++)
            p[k] += layer[0] * part[k];
    }
}

static inline void ${name}_linear(const double *x, double *p)
{
${arrays}
    double odds[${name}_classes];
    int k, e;
    for (k = 0; k < ${name}_classes; k++)
        p[k] = 0.0;
    for (e = 0; e < ${filters}; e++) {
        ${name}_odds(x, center[e], factor[e], clip[e], mean[e], spread[e], full[e],
            label_variance[e], noise[e], odds);
        ${name}_mix(layers + e * ${layers} * (${name}_classes + 2), ${layers}, odds, p);
    }
}
@@ curved

static inline void ${name}_log_odds(double *p)
{
    int k;
    for (k = 0; k < ${name}_classes; k++)
        p[k] = log(p[k]);
    for (k = ${name}_classes - 1; ${name}_classes == 2 && k >= 0; k--)
        p[k] -= p[0];
    for (k = 0; k < ${name}_classes; k++)
        p[k] = ${name}_between(p[k], -${farthest}, ${farthest});
}

static inline void ${name}_function_odds(const double *z, const double *frequencies,
    const double *phases, const double *amplitudes, const double *mean,
    const double *covariance, double floor, double *odds)
{
    enum { sines = ${sines}, features = sines + ${name}_columns };
    double f[features], variance;
    int i, k;
    variance = ${name}_features(z, sines, frequencies, phases, amplitudes, covariance, f);
    variance = sqrt(variance + floor);
    for (k = 0; k < ${name}_classes; k++) {
        double t = 0.0;
        for (i = 0; i < features; i++)
            t += f[i] * mean[(long)i * ${name}_classes + k];
        t = ${name}_between(t / variance, ${least}, HUGE_VAL);
        odds[k] = variance * (exp(-0.5 * t * t) * ${density}
            + 0.5 * t * erfc(-t * ${root_half}));
    }
    ${name}_log_odds(odds);
}

static inline void ${name}_curved(const double *x, double *p)
{
${functions}
    double z[${name}_columns], odds[${parts}][${name}_classes], blend[${name}_classes];
    int i, k, e, part;
    ${name}_linear(x, odds[0]);
    for (k = 0; k < ${name}_classes; k++) {
        odds[0][k] = odds[0][k] > ${tiny} ? odds[0][k] : ${tiny};
        p[k] = 0.0;
    }
    ${name}_log_odds(odds[0]);
    for (i = 0; i < ${name}_columns; i++)
        z[i] = ${name}_between((x[i] - center[i]) * factor[i], -${function_clip},
            ${function_clip});
    for (e = 0; e < ${parts} - 1; e++)
        ${name}_function_odds(z, frequencies[e], phases[e], amplitudes[e], mean[e],
            covariance[e], floors[e], odds[e + 1]);
    for (e = 0; e < ${blends}; e++) {
        for (k = 0; k < ${name}_classes; k++)
            for (blend[k] = 0.0, part = 0; part < ${parts}; part++)
                blend[k] += shares[e * ${parts} + part] * odds[part][k];
        ${name}_mix(layers + e * ${layers} * (${name}_classes + 2), ${layers}, blend, p);
    }
}
@@ probabilities_tail

static inline void ${name}_probabilities(const double *x, double *p)
{
    static const double factors[] = {
${factors}
    };
    double sum = 0.0;
    int k;
    ${name}_${last}(x, p);
    for (k = 0; k < ${name}_classes; k++)
        sum += p[k] *= factors[k];
    for (k = 0; k < ${name}_classes; k++)
        p[k] /= sum;
}

static inline int ${name}_predict(const double *x)
{
    double p[${name}_classes];
    int best = 0, k;
    ${name}_probabilities(x, p);
    for (k = 1; k < ${name}_classes; k++)
        if (p[k] > p[best])
            best = k;
    return best;
}
@@ row_more
 *   void ${name}_features(const ${name}_row *row, double *x)
 *       The features of a row of the table. Missing numbers and dates are NAN, missing
 *       text is NULL. Dates are seconds since 1970.
@@ row

typedef struct {
${fields}
} ${name}_row;

static inline int ${name}_place(const char *text, const char *const *levels, int count,
    int gone, int other)
{
    int i;
    for (i = 0; text && i < count; i++)
        if (!strcmp(text, levels[i]))
            return i;
    return text ? other : gone;
}

static inline void ${name}_features(const ${name}_row *row, double *x)
{
    const double size = ${size};
    double value = 0.0, days = 0.0;
    int i, place = 0;
    (void)value, (void)days, (void)place;
    for (i = 0; i < ${name}_columns; i++)
        x[i] = 0.0;
${body}
    for (i = 0; i < ${name}_columns; i++)
        x[i] *= size;
}
@@ number
    value = isnan(row->${field}) ? ${gap} : row->${field};
    x[${at}] = (value - ${mean}) / ${scale};
@@ category
    {
        static const char *const levels[] = {
${levels}
        };
        place = ${name}_place(row->${field}, levels, ${count}, ${gone}, ${other});
        x[${at} + place] = 1.0;
    }
@@ hashed
    {
        const uint64_t found = ${name}_digest(${prefix},
            row->${field} ? row->${field} : ${gap});
        x[${at} + (long)(found & ${mask})] += found >> 63 ? 1.0 : -1.0;
    }
@@ hash

/* The first 8 bytes of BLAKE2b (RFC 7693) of two texts, one after the other. */
static inline uint64_t ${name}_digest(const char *first, const char *second)
{
    static const uint64_t start[8] = {
        UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b),
        UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1),
        UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
        UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179)
    };
    static const unsigned char order[10][16] = {
        { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
        { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
        { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
        { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
        { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
        { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
        { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
        { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
        { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
        { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 }
    };
    static const int turns[4] = { 32, 24, 16, 63 };
    const size_t head = strlen(first), size = head + strlen(second);
    uint64_t h[8], v[16], m[16];
    size_t offset, i;
    int round, g, step;
    for (i = 0; i < 8; i++)
        h[i] = start[i];
    h[0] ^= UINT64_C(0x01010008);
    for (offset = 0; offset == 0 || offset < size; offset += 128) {
        const size_t stop = offset + 128 < size ? offset + 128 : size;
        for (i = 0; i < 16; i++)
            m[i] = 0;
        for (i = offset; i < stop; i++) {
            const char one = i < head ? first[i] : second[i - head];
            m[(i - offset) / 8] |= (uint64_t)(unsigned char)one << 8 * (i % 8);
        }
        for (i = 0; i < 8; i++) {
            v[i] = h[i];
            v[i + 8] = start[i];
        }
        v[12] ^= (uint64_t)stop;
        if (stop == size)
            v[14] = ~v[14];
        for (round = 0; round < 12; round++)
            for (g = 0; g < 8; g++) {
                const int k = g / 4, a = g % 4, b = 4 + (g + k) % 4;
                const int c = 8 + (g + 2 * k) % 4, d = 12 + (g + 3 * k) % 4;
                for (step = 0; step < 4; step++) {
                    const int to = step % 2 ? b : d, from = step % 2 ? c : a;
                    if (step % 2)
                        v[c] += v[d];
                    else
                        v[a] += v[b] + m[order[round % 10][2 * g + step / 2]];
                    v[to] ^= v[from];
                    v[to] = v[to] >> turns[step] | v[to] << (64 - turns[step]);
                }
            }
        for (i = 0; i < 8; i++)
            h[i] ^= v[i] ^ v[i + 8];
    }
    return h[0];
}
