import type { UninstallView, UpgradeView } from '../../contract/outputs/installation.ts'
import { isOlder } from '../../client/semver.ts'
import { printable } from '../format.ts'

const places: Record<UpgradeView['installation']['manager'], string> = {
  npm: 'installed with npm',
  npx: 'run by npx, which keeps a copy of its own',
  volta: 'installed with Volta',
  pnpm: 'installed with pnpm',
  bun: 'installed with Bun',
  clone: 'a clone',
  unknown: 'a copy that no package manager knows',
}

export const upgradeText = (view: UpgradeView, { isChecked }: { isChecked: boolean }): string[] => {
  const { installed, newest, why, installation, upgraded, daemon } = view
  const here = `Rein ${installed}, ${places[installation.manager]}: ${printable(installation.root)}`
  if (upgraded)
    return [
      `Rein ${installed} was upgraded to ${newest}.`,
      daemon === 'restarted' ? `The daemon runs ${newest} now; agents ran on.` : 'No daemon was running.',
    ]
  if (newest === null && installation.manager !== 'clone')
    return [here, `The newest version is not known: ${printable(why ?? '')}.`]
  if (newest !== null && !isOlder(installed, newest)) return [here, `This is the newest version (npm has ${newest}).`]
  const news = newest === null ? [] : [`npm has ${newest}.`]
  if (installation.manager === 'npm' && isChecked) return [here, ...news, 'Upgrade: rein upgrade']
  return [here, ...news, 'Upgrade:', ...installation.upgrade.map((command) => `  ${command}`)]
}

/** What is done or would be, one line each; the command to type is the last line. */
export const uninstallText = ({ isDone, ...view }: UninstallView): string[] => {
  const say = (done: string, planned: string): string => (isDone ? done : planned).padEnd('removes'.length)
  return [
    ...view.agents.map((agent) => `${say('ended', 'ends')}  ${agent}`),
    ...view.files.map((file) => `${say('cleaned', 'cleans')}  ${printable(file)}`),
    ...view.refused.map((file) => `${say('left', 'leaves')}  ${printable(file)}`),
    ...(view.service === null ? [] : [`${say('removed', 'removes')}  ${printable(view.service)}`]),
    ...view.data.map((path) =>
      view.isPurged
        ? `${say('deleted', 'deletes')}  ${printable(path)}`
        : `${say('kept', 'keeps')}  ${printable(path)}`,
    ),
    ...(isDone && view.left.length > 0 ? ['Last, remove the program:', ...view.left.map((one) => `  ${one}`)] : []),
  ]
}
