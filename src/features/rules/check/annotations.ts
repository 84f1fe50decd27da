import type { RulesCheck } from '../../../contract/outputs/rule-tools.ts'

const levels = {
  block: 'error',
  ask: 'error',
  rewrite: 'warning',
  warn: 'warning',
  context: 'notice',
  log: 'notice',
} as const

/** The findings as lines that GitHub Actions shows beside the code. */
export const toAnnotations = ({ problems, findings }: RulesCheck): string[] => [
  ...problems.map(({ file, line, column, message, hint }) =>
    annotation('error', { file, line, col: column, title: 'Rein: invalid rule file' }, `${message} ${hint}`.trim()),
  ),
  ...findings.map(({ rule, action, message, file, line, column, endLine, endColumn }) =>
    annotation(levels[action], { file, line, col: column, endLine, endColumn, title: `Rein: ${rule}` }, message.trim()),
  ),
]

const annotation = (level: string, properties: Record<string, string | number>, message: string): string => {
  const given = Object.entries(properties).map(
    ([name, value]) => `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  return `::${level} ${given.join(',')}::${escaped(message)}`
}

/** The runner reads these as the end of the message, or of a property. */
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
