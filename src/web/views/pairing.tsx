import { connection, link } from '../link/api.ts'
import type { ConnectionState } from '../link/link.ts'
import { pairing } from '../link/pairing.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Page } from '../parts/page.tsx'

const titles: Partial<Record<ConnectionState, string>> = { refused: 'Not let in', keyless: 'No key' }

/** Instead of a view, while this browser may see nothing. */
export const PairingView = () => (
  <Page title={titles[connection.value] ?? 'Pair this browser'}>
    <div class="pairing">
      <Explanation />
      {connection.value === 'keyless' ? null : (
        <>
          <p>
            On the machine where Rein runs, type <code>rein web</code>. It opens this page and pairs this browser.
          </p>
          <p>
            For a phone or another machine, type <code>rein web pair</code> and scan the code that it shows.
          </p>
        </>
      )}
      {connection.value === 'refused' ? (
        <div class="row">
          <button type="button" class="button" onClick={() => link.start()}>
            Try again
          </button>
          <ActionButton action={{ name: 'Forget the key of this browser', icon: 'close', isHard: true, run: forget }} />
        </div>
      ) : null}
    </div>
  </Page>
)

/** Loaded when it is wanted: what it forgets with has no place in the first view. */
const forget = async (): Promise<void> => (await import('../store/forget.ts')).forgetBrowser()

const Explanation = () => {
  if (pairing.value.step === 'pairing') return <p role="status">Pairing …</p>
  if (pairing.value.step === 'failed')
    return (
      <p class="notice notice-bad" role="alert">
        {pairing.value.message}
      </p>
    )
  const refusal = link.refusal.value
  return refusal === null ? null : (
    <p class="notice notice-bad" role="alert">
      {refusal.message} {refusal.hint}
    </p>
  )
}
