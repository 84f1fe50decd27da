import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InstallationView } from '../../contract/outputs/installation.ts'
import { daemonScript } from '../../client/start.ts'
import { quoted } from '../../base/util/shell.ts'

/** The package managers that have a place of their own for global packages, npm's last: it is the least particular. */
const managers = [
  { manager: 'npx', place: /\/_npx\//, upgrade: 'npx rein@latest', remove: null },
  { manager: 'volta', place: /\/\.volta\//, upgrade: 'volta install rein@latest', remove: 'volta uninstall rein' },
  { manager: 'pnpm', place: /\/pnpm\//, upgrade: 'pnpm add -g rein@latest', remove: 'pnpm rm -g rein' },
  { manager: 'bun', place: /\/\.bun\//, upgrade: 'bun add -g rein@latest', remove: 'bun rm -g rein' },
  { manager: 'npm', place: /\/lib\/node_modules\/rein$/, upgrade: 'npm i -g rein@latest', remove: 'npm rm -g rein' },
] as const

/** How a package got to where it is, by its place and by whether it is a clone. */
export const describeInstallation = (root: string, isClone: boolean): InstallationView => {
  if (isClone) {
    const npm = `npm --prefix ${quoted(root)}`
    const upgrade = [`git -C ${quoted(root)} pull`, `${npm} ci`, `${npm} run build`]
    return { manager: 'clone', root, upgrade, remove: `rm -r ${quoted(root)}` }
  }
  const known = managers.find(({ place }) => place.test(root))
  if (known === undefined) return { manager: 'unknown', root, upgrade: [], remove: null }
  return { manager: known.manager, root, upgrade: [known.upgrade], remove: known.remove }
}

/** The package that runs: a link to a clone, as `npm link` makes it, is that clone. */
export const findInstallation = (): InstallationView => {
  const root = realpathSync(join(dirname(daemonScript()), '..'))
  return describeInstallation(root, existsSync(join(root, '.git')))
}
