import { scopeWords } from '../../contract/scopes.ts'
import { may, me } from '../link/api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Page } from '../parts/page.tsx'
import { findLoss, forgetBrowser } from '../store/forget.ts'
import { hasLetterKeys, setLetterKeys } from '../store/letter-keys.ts'
import { setTheme, type Theme, theme, themes } from '../store/theme.ts'
import { Address } from './settings-address.tsx'
import { Devices } from './settings-devices.tsx'
import { Notifications } from './settings-notifications.tsx'

const themeWords: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' }

export const SettingsView = () => (
  <Page title="Settings">
    <div class="settings">
      <ThisDevice />
      <Notifications />
      <Appearance />
      <Keys />
      {may('admin') ? <Devices /> : null}
      <Pairing />
      <Address />
    </div>
  </Page>
)

const ThisDevice = () => {
  const own = me.value
  if (own === null) return null
  const loss = findLoss()
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
        <ActionButton
          action={{ name: 'Forget the key of this browser', icon: 'close', isHard: true, run: forgetBrowser }}
        />
      </div>
      <p class="soft small">
        That ends notifications here{loss === '' ? '' : `, and deletes ${loss}`}. Rein goes on listing this browser
        until you type <code>rein web revoke {own.id}</code>
      </p>
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

const Keys = () => (
  <fieldset class="settings-part">
    <legend>Keyboard</legend>
    <label class="settings-choice">
      <input type="checkbox" checked={hasLetterKeys.value} onChange={() => setLetterKeys(!hasLetterKeys.value)} />
      Shortcuts of single keys: G and a letter, T, /
    </label>
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
