import * as fc from 'fast-check'

/** Decisions from a list of bytes: quick to generate, and a shorter list makes a simpler file. */
class Choices {
  #at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isSpent(): boolean {
    return this.#at >= this.#bytes.length
  }

  below(limit: number): number {
    const byte = this.#bytes[this.#at] ?? 0
    this.#at += 1
    return byte % limit
  }

  oneOf<T>(first: T, ...others: T[]): T {
    return [first, ...others][this.below(others.length + 1)] ?? first
  }
}

const fromBytes = (build: (choices: Choices) => string): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: 4, maxLength: 80, size: 'max' }).map((bytes) => build(new Choices(bytes)))

interface JsonStyle {
  eol: string
  unit: string
  isMultiline: boolean
  hasTrailingCommas: boolean
  hasComments: boolean
}

const keys = [
  'hooks',
  'Stop',
  'PreToolUse',
  'mcpServers',
  'rein',
  'a',
  'b',
  'a b',
  '',
  '1',
  '__proto__',
  'ä😀',
  'x"y',
] as const

/** Settings in JSON as people and programs leave them: any layout, comments, trailing commas, keys that come twice. */
export const jsonSettings = fromBytes((choices) => {
  const style: JsonStyle = {
    eol: choices.oneOf('\n', '\r\n'),
    unit: choices.oneOf('  ', '\t', '    ', ''),
    isMultiline: choices.below(4) > 0,
    hasTrailingCommas: choices.below(4) === 0,
    hasComments: choices.below(2) === 0,
  }
  const bom = choices.oneOf('', '', '', '\uFEFF')
  const lead = choices.oneOf('', '', style.eol, style.hasComments ? `// settings${style.eol}` : '')
  const end = choices.oneOf(style.eol, '', `${style.eol}${style.eol}`)
  return bom + lead + container(choices, style, 'object', 0) + end
})

const container = (choices: Choices, style: JsonStyle, kind: 'object' | 'array', depth: number): string => {
  const [open, close] = kind === 'object' ? '{}' : '[]'
  const count = choices.isSpent ? 0 : choices.below(depth === 0 ? 6 : 4)
  const isMultiline = style.isMultiline && choices.below(5) > 0
  const line = (level: number): string => (isMultiline ? style.eol + style.unit.repeat(level) : choices.oneOf('', ' '))
  const members = Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const name = kind === 'object' ? `${JSON.stringify(choices.oneOf(...keys))}:${choices.oneOf(' ', '')}` : ''
    const comma = !isLast || (style.hasTrailingCommas && choices.below(2) === 0) ? ',' : ''
    return `${line(depth + 1)}${comment(choices, style)}${name}${value(choices, style, depth + 1)}${comment(choices, style)}${comma}${lineComment(choices, style)}`
  })
  const inside = count === 0 ? choices.oneOf('', '', ' ', comment(choices, style)) : members.join('') + line(depth)
  return `${open}${inside}${close}`
}

const comment = (choices: Choices, { hasComments }: JsonStyle): string =>
  hasComments && choices.below(8) === 0 ? `/* c${choices.below(9)} , " */` : ''

const lineComment = (choices: Choices, { hasComments, eol }: JsonStyle): string =>
  hasComments && choices.below(6) === 0 ? ` // l${choices.below(9)} } "${eol}` : ''

const value = (choices: Choices, style: JsonStyle, depth: number): string => {
  if (depth > 4 || choices.isSpent) return '1'
  const kind = choices.below(10)
  if (kind < 4) return container(choices, style, 'object', depth)
  if (kind < 6) return container(choices, style, 'array', depth)
  return choices.oneOf(
    '"text"',
    '-1.5e3',
    'true',
    'null',
    '"/opt/rein/hook # rein-managed "',
    '"// no comment"',
    '"\\u0041\\n"',
  )
}

/** Settings in TOML: tables, lists of tables, dotted keys, strings over several lines, comments. */
export const tomlSettings = fromBytes((choices) => {
  const eol = choices.oneOf('\n', '\r\n')
  const names = new Set<string>()
  const lines: string[] = []
  const entries = (prefix: string): void => {
    for (let left = choices.below(4); left > 0; left -= 1) {
      const name = choices.oneOf('model', 'a', '"b c"', 'd.e', "'f'", 'g', 'mcp_servers.y.command')
      const key = `${prefix}|${name}`
      if (names.has(key)) continue
      names.add(key)
      lines.push(`${choices.oneOf('', '  ')}${name} = ${tomlValue(choices, eol)}${choices.oneOf('', '', ' # note "[')}`)
    }
  }
  if (choices.below(3) === 0) lines.push('# settings')
  entries('')
  for (let left = choices.below(5); left > 0 && !choices.isSpent; left -= 1) {
    const table = choices.oneOf('tui', 'mcp_servers.x', 'mcp_servers', 'projects."/a b"', 'profiles.p', 'rein')
    const isList = table === 'tui' && !names.has('table|tui')
    if (!isList && names.has(`table|${table}`)) continue
    names.add(isList ? 'list|tui' : `table|${table}`)
    if (!isList && names.has(`list|${table}`)) continue
    lines.push(choices.oneOf('', '# about it'), isList ? `[[${table}]]` : `[${table}]`)
    entries(isList ? `list ${lines.length}` : table)
  }
  const bom = choices.oneOf('', '', '', '\uFEFF')
  return bom + lines.join(eol) + choices.oneOf(eol, '', eol + eol)
})

const tomlValue = (choices: Choices, eol: string): string =>
  choices.oneOf(
    '1',
    '"text # no comment"',
    `[ 1,${eol}  2, # two${eol}]`,
    '{ x = 1, y = "z" }',
    `"""${eol}[not.a.table]${eol}"""`,
    "'''raw'''",
    '1979-05-27T07:32:00Z',
    '9223372036854775807',
    'true',
    'nan',
  )
