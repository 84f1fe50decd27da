import { existsSync } from 'node:fs'
import { isAgent } from '../../client/agent-env.ts'
import { findLogin, installCommand } from '../../drivers/login.ts'
import { isInstalled } from '../agents/host.ts'
import type { CliContext } from '../context.ts'
import { loadSettings } from '../settings.ts'
import { isInteractive } from '../tui/terminal/terminal.ts'
import { welcomeText } from './welcome-text.ts'

/** `rein` alone: the overview where there are agents, else what to do first. No daemon is started for a person who has none. */
export const run = async (context: CliContext): Promise<void> => {
  if (await hasAgents(context)) {
    if (isInteractive(context.env)) return (await import('../agents/top.ts')).run(context, {})
    return (await import('../agents/ps.ts')).run(context, {})
  }
  const config = await loadSettings(context, context.cwd()).catch(() => null)
  const usual = config?.['agents.driver'].value ?? 'claude'
  const { drivers } = await import('../../drivers/registry.ts')
  context.out.line(
    welcomeText(
      drivers.map((driver) => {
        const { name, title, program, login } = driver
        const configured = config?.[`${name}.path` as 'claude.path'].value ?? null
        return {
          name,
          title,
          isInstalled: configured?.includes('/')
            ? existsSync(configured)
            : isInstalled(configured ?? program, context.env['PATH'] ?? ''),
          login: findLogin(login, context.env),
          installCommand: installCommand(driver),
          loginCommand: login.command,
        }
      }),
      usual,
      context.out.style,
    ),
  )
}

/** Asks the daemon that runs; one is started only where an earlier one has left its database. */
const hasAgents = async (context: CliContext): Promise<boolean> => {
  const start = !isAgent(context.env) && existsSync(context.paths().database)
  try {
    return (await context.connect({ start }).ps({})).length > 0
  } catch (cause) {
    if (start) throw cause
    return false
  }
}
