import type { LoginState } from '../../drivers/login.ts'
import { alignColumns, joinLines } from '../format.ts'
import type { Style } from '../output.ts'

/** What can be told about a CLI at once: nothing is started and nothing is read. */
interface FoundCli {
  name: string
  title: string
  isInstalled: boolean
  login: LoginState
  /** What a person types to get it, and to log in. */
  installCommand: string
  loginCommand: string
}

/** `usual`: the CLI that `rein up` starts. */
export const welcomeText = (clis: readonly FoundCli[], usual: string, style: Style): string =>
  joinLines(
    `${style.bold('Rein')} runs coding agents in the background.`,
    'Message them while they work, and see what arrived.',
    '',
    ...cliLines(clis, style),
    '',
    ...nextSteps(clis, usual).map(({ why, command }) => `${why}\n  ${style.bold(command)}`),
    '',
    'Check this machine: rein doctor    All commands: rein --help',
  )

/** Aligned before they are coloured: colours have no width. */
const cliLines = (clis: readonly FoundCli[], style: Style): string[] =>
  alignColumns(
    clis.map(({ title, isInstalled, login, installCommand, loginCommand }) => {
      if (!isInstalled) return ['–', title, `not installed: ${installCommand}`]
      if (login === 'none') return ['–', title, `no login found: ${loginCommand}`]
      return ['✓', title, login === 'found' ? 'logged in' : 'installed']
    }),
  ).map((line, index) => {
    const { isInstalled = false, login = 'none' } = clis[index] ?? {}
    if (!isInstalled) return `  ${style.dim(line)}`
    return `  ${style[login === 'none' ? 'yellow' : 'green'](line.slice(0, 1))}${line.slice(1)}`
  })

interface Step {
  why: string
  command: string
}

/** The CLI that `rein up` starts comes first, then any that is logged in, then any that is here. */
const nextSteps = (clis: readonly FoundCli[], usual: string): Step[] => {
  const ranked = clis.toSorted((a, b) => rank(a, usual) - rank(b, usual))
  const best = ranked[0]
  if (best === undefined || !best.isInstalled)
    return [{ why: 'Install an agent CLI first:', command: best?.installCommand ?? 'rein doctor' }]
  const driver = best.name === usual ? '' : ` --driver ${best.name}`
  const start = {
    why: 'Start your first agent here:',
    command: `rein up worker-1${driver} --prompt 'What is in this directory?'`,
  }
  return best.login === 'none' ? [{ why: 'Log in first:', command: best.loginCommand }, start] : [start]
}

const rank = ({ name, isInstalled, login }: FoundCli, usual: string): number => {
  const other = name === usual ? 0 : 1
  if (!isInstalled) return 6 + other
  return { found: 0, unknown: 2, none: 4 }[login] + other
}
