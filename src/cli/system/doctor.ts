import { isAgent, withoutAgent } from '../../client/agent-env.ts'
import { isOtherBuild } from '../../client/build.ts'
import { asReinError } from '../../contract/errors.ts'
import type { DoctorReportView } from '../../contract/outputs/local.ts'
import type { DoctorCheck, DoctorView } from '../../contract/routes/daemon.ts'
import type { Config } from '../../base/config/load.ts'
import { version } from '../../base/util/version.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { collectLines, counted, formatTable, printable } from '../format.ts'
import type { Style } from '../output.ts'
import { checkClis } from './doctor-clis.ts'
import { inspectMachine, readSettings } from './doctor-machine.ts'

export const run = async (
  context: CliContext,
  { json, quick = false, verbose = false }: { quick?: boolean; verbose?: boolean } & JsonFlag,
): Promise<void> => {
  const { out, exitWith } = context
  if (!json && !quick) out.status('Starting each agent CLI once, to see whether its hooks fire …')
  // Looks at the machine first, which always works, and then asks the daemon, which may not.
  const machine = await inspectMachine(context)
  // Where its files cannot be, there are neither settings nor a daemon.
  const hasPlace = machine.every(({ name, ok }) => name !== 'files' || ok)
  const { check, config } = hasPlace ? await readSettings(context) : { check: null, config: null }
  const asked = hasPlace ? await askDaemon(context, quick, config !== null) : nothingAsked
  const views = asked.drivers ?? (await inspectClis(context, config))
  const { findDriver } = await import('../../drivers/registry.ts')
  const usual = config?.['agents.driver'].value ?? 'claude'
  const checks = [
    ...machine,
    ...(check === null ? [] : [check]),
    ...asked.checks,
    ...checkClis(views, usual, findDriver),
  ]
  const report = { ready: checks.every(({ ok, optional }) => ok || optional === true), checks, drivers: views }
  out.status('')
  if (json) out.document(report)
  else out.line(doctorText(report, out.style, verbose))
  if (!report.ready) exitWith(1)
}

interface Asked {
  checks: DoctorCheck[]
  /** Null where the daemon did not answer. */
  drivers: DoctorView['drivers'] | null
}

const nothingAsked: Asked = { checks: [], drivers: null }

/** A daemon that runs has read its settings; without them none can start. */
const askDaemon = async (context: CliContext, quick: boolean, hasSettings: boolean): Promise<Asked> => {
  try {
    const before = await context
      .connect({ start: false })
      .hello()
      .catch(() => null)
    const input = { cwd: context.cwd(), env: withoutAgent(context.env), quick }
    if (before === null && !hasSettings) return nothingAsked
    const { checks, drivers: found } = await context.connect().doctor(input)
    const isReplaced = before !== null && before.version !== version
    return {
      checks: checks.map((check) => (check.name === 'daemon' ? judgeBuild(check, isReplaced) : check)),
      drivers: found,
    }
  } catch (cause) {
    const { code, message, hint } = asReinError(cause)
    // An agent is not to look at the machine.
    if (code === 'forbidden' || isAgent(context.env)) throw cause
    return {
      checks: [{ name: 'daemon', ok: false, detail: message, ...(hint === undefined ? {} : { hint }) }],
      drivers: null,
    }
  }
}

const judgeBuild = (check: DoctorCheck, isReplaced: boolean): DoctorCheck => {
  if (isOtherBuild())
    return { ...check, ok: false, detail: `${check.detail}: another build than this command`, hint: 'rein daemon stop' }
  return isReplaced ? { ...check, detail: `${check.detail}; it replaced an older one` } : check
}

const inspectClis = async (context: CliContext, config: Config | null): Promise<DoctorView['drivers']> => {
  const [{ drivers }, { inspectDriver }] = await Promise.all([
    import('../../drivers/registry.ts'),
    import('../../drivers/inspect.ts'),
  ])
  return Promise.all(
    drivers.map(async (driver) => {
      const path = config?.[`${driver.name}.path` as 'claude.path'].value ?? null
      return { ...(await inspectDriver(driver, context.env, path)), hooks: null }
    }),
  )
}

const doctorText = ({ ready, checks, drivers: views }: DoctorReportView, style: Style, isVerbose: boolean): string => {
  const failed = checks.filter(({ ok, optional }) => !ok && optional !== true).length
  return collectLines(
    checks.flatMap((check) => checkLines(check, style)),
    isVerbose && capabilityLines(views),
    '',
    ready
      ? `${style.green('Ready.')} Start an agent: rein up worker-1 --prompt 'Say hello'`
      : `${style.red('Not ready:')} ${counted(failed, 'thing')} to fix, each marked ✗ above.`,
  ).join('\n')
}

const checkLines = ({ name, ok, optional, detail, hint }: DoctorCheck, style: Style): string[] => {
  const text = `${name}: ${printable(detail)}`
  if (ok) return [`${style.green('✓')} ${text}`]
  if (optional === true) return [style.dim(`– ${text}${hint === undefined ? '' : ` ${hint}`}`)]
  return collectLines(`${style.red('✗')} ${text}`, hint !== undefined && hint.split('\n').map((line) => `    ${line}`))
}

/** One column a CLI, one row a capability, and under the table why not. */
const capabilityLines = (views: DoctorView['drivers']): string[] => {
  const found = views.filter((driver) => driver.capabilities !== null)
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
    formatTable(['', ...found.map(({ name, version: one }) => `${name} ${one}`)], rows),
    '',
    ...found.flatMap(({ name, capabilities: all }) =>
      Object.entries(all ?? {}).flatMap(([what, { reason }]) =>
        reason === null ? [] : [`${name}, ${what}: ${reason}`],
      ),
    ),
  ]
}
