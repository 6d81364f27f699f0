/**
 * Texts that have broken services: rejected by databases, changed by Unicode normalization, or executed by other
 * languages. Most of them are valid free text and must come back unchanged.
 */
export const nastyTexts: readonly string[] = [
  // PostgreSQL cannot store these unchanged.
  '\u0000', 'a\u0000b', '\ud800', '\udc00', '\udc00\ud800', 'x\ud83d', '\ude00x',
  // Displayed differently from how they are written.
  '\u202egnp.exe', '\u200e\u200f', '\u2066a\u2069', '\u200b', 'a\u200b\u200c\u200d\u2060b', '\ufeff',
  '\ufeffa', 'a\ufeff',
  // The same text in two Unicode forms: neither may become the other.
  '\u00e9', 'e\u0301', '\u212b', '\u00c5', 'A\u030a', '\uac00', '\u1100\u1161', '\ufb00', '\u0130', 'ß',
  'Z\u0351\u0343\u0348\u0321a\u0334\u031b\u0321l\u0322\u0315g\u0334o\u0338', '\u0301',
  // Outside the basic multilingual plane, joined, reserved.
  '😀', '👨‍👩‍👧‍👦', '🇩🇪', '\u{10ffff}', '\ufffd', '\ufffe', '\uffff', '\ue000', '𝕬𝖉𝖆', 'עברית', 'العربية', '漢字',
  // White space and control characters.
  '', ' ', '   a   ', '\t', '\n', 'a\r\nX-Injected: 1', '\u0001', '\u001b[31m', '\u007f', '\u0085',
  '\u00a0', '\u2028', '\u2029',
  // Names and words with a meaning in a programming language.
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined', 'true', 'NaN', '0',
  '-1', '1e309',
  // Fragments that become code if text is concatenated into code.
  "'", "' or '1'='1", "'; drop table cell.account; --", '$1', '$$', '\\', "\\'", '%', '%00', '%s%n', '%2e%2e%2f',
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '&amp;', '{{7*7}}', '#{7*7}', '=1+1',
  '../../etc/passwd', 'a;b|c`d`', '{"a":1}', '{"__proto__":{"a":1}}', '[1]', '"', '\\u0000', '\\ud800', '\\x00', '*',
  '_',
  // Too long for any field.
  'x'.repeat(20_000), '😀'.repeat(5_000), 'e\u0301'.repeat(5_000),
] // biome-ignore format: a list reads better dense
