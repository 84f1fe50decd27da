import type { Inner } from './inner.ts'
import { languageOf } from './interpreters.ts'
import type { RunProgram, ShellReading } from './reading.ts'

/** Programs that wait for what they run, and end as it did. */
const PASSES_ON = new Set(
  'env genv command builtin eval nice ionice nohup stdbuf time timeout gtimeout chrt taskset flock xvfb-run cross-env dotenv dotenvx direnv unbuffer chronic caffeinate npx bunx uvx pnpx npm pnpm yarn bun uv poetry pipenv pdm hatch rye pixi conda bundle mise asdf'.split(
    ' ',
  ),
)

/** Whether a program that ended well says that what it ran did. */
export const passesOn = (program: string, inner: Inner): boolean => {
  if (inner.kind === 'words') return PASSES_ON.has(program)
  return (
    inner.kind === 'code' && inner.language === 'shell' && (PASSES_ON.has(program) || languageOf(program) === 'shell')
  )
}

/** The programs that have surely succeeded if the line has: nothing hides how they ended, or keeps them from being run. */
export const succeededIn = ({ runs, opaque }: ShellReading): readonly RunProgram[] => {
  // Other languages start programs, but do not end the shell.
  if (opaque.some(({ kind }) => kind !== 'foreign code')) return []
  // What comes after it may not be run, or not say how the line ends; `exit 1` at least says that it failed.
  const end = runs.findIndex(
    ({ program, args }) =>
      /^(?:exec|trap|logout)$/.test(program) ||
      (/^(?:exit|return)$/.test(program) && !/^[1-9]\d*$/.test(args[0] ?? '')),
  )
  return runs.slice(0, end < 0 ? runs.length : end).filter(({ isDecisive }) => isDecisive)
}
