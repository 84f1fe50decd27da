import { withoutAgent } from '../../client/agent-env.ts'
import type { DoctorView } from '../../contract/routes/daemon.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { collectLines, formatTable } from '../format.ts'
import type { Style } from '../output.ts'

export interface DoctorFlags {
  quick?: boolean
}

type DriverView = DoctorView['drivers'][number]

export const run = async (context: CliContext, { json, quick = false }: DoctorFlags & JsonFlag): Promise<void> => {
  const { connect, out, exitWith } = context
  if (!json && !quick) out.note('Starting each agent CLI once, to see whether its hooks fire …')
  const report = await connect().doctor({ cwd: context.cwd(), env: withoutAgent(context.env), quick })
  if (json) out.document(report)
  else out.line([...report.checks.flatMap((check) => checkLines(check, out.style)), ...capabilities(report)].join('\n'))
  if (report.checks.some(({ ok }) => !ok)) exitWith(1)
}

const checkLines = ({ name, ok, detail, hint }: DoctorView['checks'][number], style: Style): string[] =>
  collectLines(`${ok ? style.green('✓') : style.red('✗')} ${name}: ${detail}`, hint !== undefined && `  ${hint}`)

/** One column a CLI, one row a capability, and under the table why not. */
const capabilities = ({ drivers }: DoctorView): string[] => {
  const found = drivers.filter((driver) => driver.capabilities !== null)
  const names = Object.keys(found[0]?.capabilities ?? {})
  if (names.length === 0) return []
  const rows = names.map((name) => [name, ...found.map((driver) => cell(driver, name))])
  return ['', formatTable(['', ...found.map(({ name, version }) => `${name} ${version}`)], rows), '', ...reasons(found)]
}

const cell = ({ capabilities: all }: DriverView, name: string): string => {
  const can = all?.[name]
  if (can === undefined) return '-'
  if (can.tmux === can.stream) return can.tmux ? 'yes' : 'no'
  return can.tmux ? 'tmux only' : 'stream only'
}

const reasons = (drivers: DriverView[]): string[] =>
  drivers.flatMap(({ name, capabilities: all }) =>
    Object.entries(all ?? {}).flatMap(([what, { reason }]) => (reason === null ? [] : [`${name}, ${what}: ${reason}`])),
  )
