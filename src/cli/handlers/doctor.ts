import type { DoctorView } from '../../contract/api-types.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import type { Style } from '../output.ts'

export const run = async (context: CliContext, { json }: JsonFlag): Promise<void> => {
  const { connect, out, exitWith } = context
  const report = await connect().doctor()
  if (json) out.document(report)
  else
    out.line(
      [...report.checks.flatMap((check) => checkLines(check, out.style)), ...report.drivers.map(driverText)].join('\n'),
    )
  if (report.checks.some(({ ok }) => !ok)) exitWith(1)
}

const checkLines = ({ name, ok, detail, hint }: DoctorView['checks'][number], style: Style): string[] => [
  `${ok ? style.green('✓') : style.red('✗')} ${name}: ${detail}`,
  ...(hint === undefined ? [] : [`  ${hint}`]),
]

const driverText = ({
  name,
  title,
  path,
  version,
  minVersion,
  capabilities,
}: DoctorView['drivers'][number]): string => {
  if (path === null) return `\n${title} (${name}): not installed`
  const can = Object.entries(capabilities ?? {}).map(([what, able]) => `  ${able ? 'yes' : 'no '}  ${what}`)
  return [`\n${title} (${name}) ${version ?? 'of unknown version'}, at least ${minVersion}: ${path}`, ...can].join('\n')
}
