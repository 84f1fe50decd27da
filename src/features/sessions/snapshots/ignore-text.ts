import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Env } from './git.ts'
import { type Repository, signatureOf, userGit } from './repository.ts'

/** The user's ignore rules besides the `.gitignore` files: those of all repositories, then those of this one. */
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
    // Latin-1 keeps bytes that are not UTF-8.
    const files = [await this.#findGeneralFile(), own]
    const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
    const lines = texts.flatMap((text) => text.split('\n'))
    return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).join('\n')
  }

  /** Git is asked only when one of its settings files has changed. */
  async #findGeneralFile(): Promise<string> {
    const home = this.#env['HOME'] || homedir()
    const configHome = this.#env['XDG_CONFIG_HOME'] || path.join(home, '.config')
    const own = this.#repository === null ? [] : [this.#repository.commonDir, this.#repository.gitDir]
    const files = [
      path.join(home, '.gitconfig'),
      path.join(configHome, 'git/config'),
      ...own.flatMap((dir) => [path.join(dir, 'config'), path.join(dir, 'config.worktree')]),
    ]
    const settings = (await Promise.all(files.map(signatureOf))).join()
    if (this.#general === null || settings !== this.#settings) {
      const git = userGit(this.#root, this.#env)
      const { stdout } = await git(['config', '--type=path', '--get', 'core.excludesFile'], { answers: [1, 128] })
      const told = stdout.toString().replace(/\n$/, '')
      this.#general = told === '' ? path.join(configHome, 'git/ignore') : path.resolve(this.#root, told)
    }
    this.#settings = settings
    return this.#general
  }
}
