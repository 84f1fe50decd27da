import type { Scope } from '../../contract/scope.ts'
import { link, may, me } from '../link/api.ts'
import { forgetDevice } from '../link/device.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Page } from '../parts/page.tsx'
import { attempt } from '../parts/toast.tsx'
import { setTheme, type Theme, theme, themes } from '../store/theme.ts'
import { Devices } from './settings-devices.tsx'
import { Notifications } from './settings-notifications.tsx'

const scopeWords: Record<Scope, string> = {
  read: 'see agents, conversations, rooms and tasks',
  tell: 'write to agents and in rooms',
  answer: 'answer what agents ask',
  control: 'start, stop, pause and interrupt agents',
  files: 'rewind sessions, import and export bundles',
  admin: 'see and revoke devices, stop the daemon',
}

const themeWords: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' }

export const SettingsView = () => (
  <Page title="Settings">
    <div class="settings">
      <ThisDevice />
      <Notifications />
      <Appearance />
      {may('admin') ? <Devices /> : null}
      <Pairing />
      <Address />
    </div>
  </Page>
)

const forget = async (): Promise<void> => {
  await attempt(forgetDevice)
  link.start()
}

const ThisDevice = () => {
  const own = me.value
  if (own === null) return null
  return (
    <section class="settings-part" aria-labelledby="settings-device">
      <h2 id="settings-device">This browser</h2>
      <p>
        <strong>{own.name}</strong> <span class="settings-id faint mono">{own.id}</span>
      </p>
      <p class="soft">It may:</p>
      <ul class="settings-scopes">
        {own.scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code> {scopeWords[scope]}
          </li>
        ))}
      </ul>
      <div class="row">
        <ActionButton action={{ name: 'Forget the key of this browser', icon: 'close', isHard: true, run: forget }} />
      </div>
    </section>
  )
}

const Appearance = () => (
  <fieldset class="settings-part">
    <legend>Colours</legend>
    <div class="row">
      {themes.map((one) => (
        <label key={one} class="settings-choice">
          <input type="radio" name="theme" checked={theme.value === one} onChange={() => setTheme(one)} />
          {themeWords[one]}
        </label>
      ))}
    </div>
  </fieldset>
)

const Pairing = () => (
  <section class="settings-part" aria-labelledby="settings-pairing">
    <h2 id="settings-pairing">Another device</h2>
    <p>
      On the machine where Rein runs, type <code>rein web pair</code> and scan the code that it shows. No device can
      pair another one.
    </p>
  </section>
)

const Address = () => (
  <section class="settings-part" aria-labelledby="settings-address">
    <h2 id="settings-address">Address</h2>
    <p>
      This page came from <code>{location.host}</code>. Rein answers under <code>127.0.0.1</code> and the names in its
      setting <code>web.hosts</code>: <code>rein config get web.hosts</code>
    </p>
  </section>
)
