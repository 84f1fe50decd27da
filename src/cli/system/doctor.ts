import { withoutAgent } from '../../client/agent-env.ts'
import type { DoctorView } from '../../contract/routes/daemon.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { collectLines, formatTable } from '../format.ts'

export const run = async (
  context: CliContext,
  { json, quick = false }: { quick?: boolean } & JsonFlag,
): Promise<void> => {
  const { connect, out, exitWith } = context
  if (!json && !quick) out.note('Starting each agent CLI once, to see whether its hooks fire …')
  const report = await connect().doctor({ cwd: context.cwd(), env: withoutAgent(context.env), quick })
  if (json) out.document(report)
  else
    out.line(
      [
        ...report.checks.flatMap((check) =>
          collectLines(
            `${check.ok ? out.style.green('✓') : out.style.red('✗')} ${check.name}: ${check.detail}`,
            check.hint !== undefined && `  ${check.hint}`,
          ),
        ),
        ...capabilities(report),
      ].join('\n'),
    )
  if (report.checks.some(({ ok }) => !ok)) exitWith(1)
}

/** One column a CLI, one row a capability, and under the table why not. */
const capabilities = ({ drivers }: DoctorView): string[] => {
  const found = drivers.filter((driver) => driver.capabilities !== null)
  const names = Object.keys(found[0]?.capabilities ?? {})
  if (names.length === 0) return []
  const rows = names.map((name) => [
    name,
    ...found.map((driver) => {
      const can = driver.capabilities?.[name]
      if (can === undefined) return '-'
      if (can.tmux === can.stream) return can.tmux ? 'yes' : 'no'
      return can.tmux ? 'tmux only' : 'stream only'
    }),
  ])
  return [
    '',
    formatTable(['', ...found.map(({ name, version }) => `${name} ${version}`)], rows),
    '',
    ...found.flatMap(({ name, capabilities: all }) =>
      Object.entries(all ?? {}).flatMap(([what, { reason }]) =>
        reason === null ? [] : [`${name}, ${what}: ${reason}`],
      ),
    ),
  ]
}
