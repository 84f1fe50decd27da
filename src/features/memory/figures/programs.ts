import type { Outcome } from '../../../contract/outcome.ts'

/** What clai set out to reach, as shares: of all commands, of those for which there is a better tool, and by program. */
export const targets: { failed: number; wrongTool: number; programs: Readonly<Record<string, number>> } = {
  failed: 0.05,
  wrongTool: 0.01,
  programs: { mkdir: 0, 'git commit': 0.15 },
}

export interface ProgramFigures {
  program: string
  runs: number
  /** Runs whose end is known. */
  known: number
  failed: number
  wrongTool: number
}

/** How the runs of each program went. */
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

  /** Those with most runs, or most whose end is known, and each that has a target. */
  most(count: number, by: 'runs' | 'known'): ProgramFigures[] {
    const sorted = [...this.#figures.values()].toSorted((a, b) => b[by] - a[by] || byName(a, b))
    return sorted.filter(({ program }, index) => index < count || targets.programs[program] !== undefined)
  }
}

const byName = (a: ProgramFigures, b: ProgramFigures): number =>
  a.program < b.program ? -1 : Number(a.program > b.program)
