import type { Outcome } from '../../../contract/outcome.ts'

/** The targets that clai set, as shares: of failed commands, of commands with a better tool, and by program. */
export const targets: { failed: number; wrongTool: number; programs: Readonly<Record<string, number>> } = {
  failed: 0.05,
  wrongTool: 0.01,
  programs: { mkdir: 0, 'git commit': 0.15 },
}

interface ProgramFigures {
  program: string
  runs: number
  /** Runs with a known result. */
  known: number
  failed: number
  wrongTool: number
}

/** The results of each program's runs. */
export class Programs {
  readonly #figures = new Map<string, ProgramFigures>()

  add(program: string, outcome: Outcome, isWrongTool: boolean): void {
    const figures = this.#figures.get(program) ?? { program, runs: 0, known: 0, failed: 0, wrongTool: 0 }
    const isFailed = outcome === 'failed'
    figures.runs += 1
    figures.known += Number(isFailed || outcome === 'ok')
    figures.failed += Number(isFailed)
    figures.wrongTool += Number(isWrongTool)
    this.#figures.set(program, figures)
  }

  /** The programs with most runs, or most known results, and each that has a target. */
  most(count: number, by: 'runs' | 'known'): ProgramFigures[] {
    const sorted = [...this.#figures.values()].toSorted((a, b) => b[by] - a[by] || (a.program < b.program ? -1 : 1))
    return sorted.filter(({ program }, index) => index < count || targets.programs[program] !== undefined)
  }
}
