import { expect, test } from 'vitest'
import type { UpgradeView } from '../../contract/outputs/installation.ts'
import { describeInstallation } from './installation.ts'
import { uninstallText, upgradeText } from './text.ts'

test.each([
  ['npm', '/usr/local/lib/node_modules/rein', 'npm i -g rein@latest', 'npm rm -g rein'],
  ['npm', '/home/ann/.nvm/versions/node/v22.14.0/lib/node_modules/rein', 'npm i -g rein@latest', 'npm rm -g rein'],
  ['npx', '/home/ann/.npm/_npx/3d62/node_modules/rein', 'npx rein@latest', null],
  [
    'volta',
    '/home/ann/.volta/tools/image/packages/rein/lib/node_modules/rein',
    'volta install rein@latest',
    'volta uninstall rein',
  ],
  ['pnpm', '/home/ann/.local/share/pnpm/global/5/node_modules/rein', 'pnpm add -g rein@latest', 'pnpm rm -g rein'],
  ['bun', '/home/ann/.bun/install/global/node_modules/rein', 'bun add -g rein@latest', 'bun rm -g rein'],
])('%s is known by its place: %s', (manager, root, upgrade, remove) => {
  expect(describeInstallation(root, false)).toEqual({ manager, root, upgrade: [upgrade], remove })
})

test('a clone is known by its repository, wherever it lies, and its commands can be typed', () => {
  const { manager, upgrade } = describeInstallation('/home/ann/my rein/lib/node_modules/rein', true)
  expect(manager).toBe('clone')
  expect(upgrade).toEqual([
    "git -C '/home/ann/my rein/lib/node_modules/rein' pull",
    "npm --prefix '/home/ann/my rein/lib/node_modules/rein' ci",
    "npm --prefix '/home/ann/my rein/lib/node_modules/rein' run build",
  ])
})

test('a package that is copied by hand has no command', () => {
  expect(describeInstallation('/opt/rein', false)).toMatchObject({ manager: 'unknown', upgrade: [], remove: null })
})

const view = (more: Partial<UpgradeView>): UpgradeView => ({
  installed: '0.2.0',
  newest: '0.3.0',
  why: null,
  installation: describeInstallation('/usr/local/lib/node_modules/rein', false),
  upgraded: false,
  daemon: 'unchanged',
  ...more,
})

test.each([
  ['newer', view({}), true, ['npm has 0.3.0.', 'Upgrade: rein upgrade']],
  ['the same', view({ newest: '0.2.0' }), false, ['This is the newest version (npm has 0.2.0).']],
  [
    'unknown',
    view({ newest: null, why: 'npm is not on the PATH' }),
    false,
    ['The newest version is not known: npm is not on the PATH.'],
  ],
  ['a copy of npx', view({ installation: describeInstallation('/_npx/1/rein', false) }), false, ['  npx rein@latest']],
])('an upgrade says what to do: %s', (_, given, isChecked, lines) => {
  expect(upgradeText(given, { isChecked }).slice(-lines.length)).toEqual(lines)
})

test('an upgrade that is done says what runs now', () => {
  const lines = upgradeText(view({ upgraded: true, daemon: 'restarted' }), { isChecked: false })
  expect(lines).toEqual(['Rein 0.2.0 was upgraded to 0.3.0.', 'The daemon runs 0.3.0 now; agents ran on.'])
})

test('an uninstall ends with the command that is left to type', () => {
  const plan = {
    isDone: false,
    agents: ['shop/ada'],
    files: ['/w/.claude/settings.local.json'],
    refused: [],
    service: null,
    data: ['/home/ann/.local/state/rein'],
    isPurged: false,
    left: ['npm rm -g rein'],
  }
  expect(uninstallText(plan)[0]).toBe('ends     shop/ada')
  expect(uninstallText(plan).at(-1)).toBe('keeps    /home/ann/.local/state/rein')
  expect(uninstallText({ ...plan, isDone: true }).at(-1)).toBe('  npm rm -g rein')
})
