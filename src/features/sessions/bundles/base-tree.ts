import { type Git, splitNul } from '../snapshots/git.ts'
import { type PathText, pathText } from '../snapshots/path-text.ts'
import { dirMode, type Entry } from '../snapshots/tree.ts'

/** The files that both sides have already: they are not exported, and need no review. */
export class BaseTree {
  readonly #entries: ReadonlyMap<PathText, string>

  constructor(entries: ReadonlyMap<PathText, string>) {
    this.#entries = entries
  }

  has(path: PathText, { mode, id }: Entry): boolean {
    return this.#entries.get(path) === `${mode} ${id}`
  }
}

export const noBase = new BaseTree(new Map())

export const readBase = async (git: Git, commit: string): Promise<BaseTree> => {
  const { stdout } = await git(['ls-tree', '-r', '-t', '-z', '--full-tree', commit])
  const entries = splitNul(stdout).map((line): [PathText, string] => {
    const end = line.indexOf(0x09)
    const [mode = '', , id = ''] = line.toString('latin1', 0, end).split(' ')
    return [pathText(line.subarray(end + 1)), `${mode === '040000' ? dirMode : mode} ${id}`]
  })
  return new BaseTree(new Map(entries))
}
