import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Env } from './git.ts'
import { type Repository, signatureOf, userGit } from './repository.ts'

/** What the user ignores besides the `.gitignore` files: the file of all repositories, then the one of this one. */
export class IgnoreText {
  readonly #root: string
  readonly #repository: Repository | null
  readonly #env: Env
  #settings = ''
  #general: string | null = null

  constructor(root: string, repository: Repository | null, env: Env) {
    this.#root = root
    this.#repository = repository
    this.#env = env
  }

  async read(): Promise<string> {
    const own = this.#repository === null ? '' : path.join(this.#repository.commonDir, 'info/exclude')
    const texts = await Promise.all([textOf(await this.#generalFile()), textOf(own)])
    return texts.flatMap(rules).join('\n')
  }

  /** Asked of git only when one of its settings files is another one than before. */
  async #generalFile(): Promise<string> {
    const settings = (await Promise.all(this.#settingsFiles().map(signatureOf))).join()
    if (this.#general === null || settings !== this.#settings) this.#general = await this.#ask()
    this.#settings = settings
    return this.#general
  }

  async #ask(): Promise<string> {
    const git = userGit(this.#root, this.#env)
    const { stdout } = await git(['config', '--type=path', '--get', 'core.excludesFile'], { answers: [1, 128] })
    const told = stdout.toString().replace(/\n$/, '')
    return told === '' ? path.join(this.#configHome(), 'git/ignore') : path.resolve(this.#root, told)
  }

  #settingsFiles(): string[] {
    const own = this.#repository === null ? [] : [this.#repository.commonDir, this.#repository.gitDir]
    return [
      path.join(this.#home(), '.gitconfig'),
      path.join(this.#configHome(), 'git/config'),
      ...own.flatMap((dir) => [path.join(dir, 'config'), path.join(dir, 'config.worktree')]),
    ]
  }

  #home(): string {
    return this.#env['HOME'] || homedir()
  }

  #configHome(): string {
    return this.#env['XDG_CONFIG_HOME'] || path.join(this.#home(), '.config')
  }
}

/** Latin-1 keeps bytes that are no UTF-8. */
const textOf = (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '')

const rules = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
