import type { Look } from './secret-kind.ts'

/** What stands where a secret could, but is none: our own mark, a variable, a path, an expression. */
const harmless = new RegExp(
  [
    String.raw`\[redacted:[a-z0-9-]+\]`,
    String.raw`^(?:\$[A-Za-z_{(]|[<{]|%(?:\w+%$|[({]|[sdv]$)|\*{3}|\.{3}|\.\*|\[\^|!vault|@\w|(?:id|type|src)=|(?:~|\.{1,2})?\/[\w.-]+\/)`,
    String.raw`^(?:file|env|fd|op|vault|ssm|arn|https?|sha256|sha512):[/\w]`,
    String.raw`^(?:[Tt]rue|[Ff]alse|null|NULL|[Nn]one|nil|undefined|process\.env|os\.environ|os\.getenv|System\.getenv|settings|getenv|env)(?!\w)`,
    String.raw`^[\x60$]\(|^\\?["']?$`,
  ].join('|'),
)

/** What people write for a value they do not want to write. */
const placeholder = new RegExp(
  [
    String.raw`^[xX*.•#?_-]+$|^\[?(?:redacted|removed|hidden|masked|filtered)(?!\w)`,
    String.raw`^(?:change[-_]?(?:me|it|this)|todo|foo|bar|foobar|dummy|example|placeholder|string|text|value|password|passwd|secret|token|key|bytes|number|boolean|prompt|required|optional|sensitive|default)\W?$`,
    String.raw`^(?:your|my|the|some|insert|enter|put|replace)[-_ ][\w -]*$`,
    String.raw`^[A-Z_]*(?:PASS|TOKEN|SECRET|KEY|REDACTED|CHANGE|YOUR|EXAMPLE|PLACEHOLDER|FILE|PATH|STRING|VALUE|TEXT)[A-Z_]*$`,
    String.raw`^(?:sk|pk|rk|ghp|gho|xoxb|AKIA)[-_](?:test_|live_|ant-)?[.*xX]+$`,
  ].join('|'),
  'i',
)

/** The name of a secret rather than a secret: `db-password`, `prod/api-key`. */
const nameOfSecret = /^(?=.*(?:passw|secret|token|key|cred|auth|cert))[a-z]+(?:[-_./:][a-z]+)+$/i

/** An expression of a programming language: words joined by dots. */
const identifier = String.raw`(?:_?[a-z]+(?:_[a-z0-9]+)*\d{0,5}|[a-z]+(?:[A-Z][a-z]+)*\d{0,2}|[A-Z]+(?:_[A-Z0-9]+)*|(?:[A-Z][a-z]+\d{0,5})+)`
const expression = new RegExp(String.raw`^${identifier}(?:(?:(?:\?\.|::|->|\.)${identifier})+$|\[)`)

const typeName = /^(?:Big)?(?:Uint|Int|Float)\d+\w*$/

/** Numbers, dates, versions, sizes and times are no secrets. */
const measure = /^[\d.,:/+TZ_-]*(?:[kmgtKMGT]?i?[bB]|ms|s|m|h|d|px|rem|em|%)?$/

const isOpaque = (value: string): boolean =>
  value.length >= 6 && /\d/.test(value) && !measure.test(value) && !expression.test(value) && !typeName.test(value)

/** Bits of surprise per sign. */
const entropy = (value: string): number => {
  const counts = new Map<string, number>()
  for (const sign of value) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  return [...counts.values()].reduce((sum, n) => sum - (n / value.length) * Math.log2(n / value.length), 0)
}

const isRandom = (value: string): boolean =>
  value.length >= 16 &&
  isOpaque(value) &&
  !value.includes('://') &&
  /[A-Za-z]/.test(value) &&
  !/^[a-z]+(?:[-_/.][a-z]+)+[-_/.]?\d{0,4}$/.test(value) &&
  entropy(value) >= (/^[0-9a-f-]+$/i.test(value) ? 2.6 : 3.3)

/** Longer than this, a value is never cleared: nobody writes such a name or expression, and looking costs. */
const longest = 512

/** Whether a value can be a secret, given what stands around it; `next` is the sign after it. */
export const looksSecret = (value: string, look: Look, next: string): boolean => {
  if (value.length > longest) return true
  if (harmless.test(value) || placeholder.test(value) || nameOfSecret.test(value)) return false
  if (look === 'any') return true
  if (next === '(') return false
  return look === 'opaque' ? isOpaque(value) : isRandom(value)
}
