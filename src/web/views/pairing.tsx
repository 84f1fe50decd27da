import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { connection, link } from '../link/api.ts'
import type { ConnectionState } from '../link/link.ts'
import { pairing } from '../link/pairing.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { failureText } from '../parts/failure-text.ts'
import { Page } from '../parts/page.tsx'
import { attempt } from '../parts/toast.tsx'

const titles: Partial<Record<ConnectionState, string>> = { refused: 'Not let in', keyless: 'No key' }

/** A browser that cannot read its key, or has too many pages open, does not get in by being paired again. */
const isPairingHelp = (): boolean => connection.value !== 'keyless' && link.refusal.value?.code !== 'rate_limited'

/** Instead of a view, while this browser may see nothing. */
export const PairingView = () => (
  <Page title={titles[connection.value] ?? 'Pair this browser'}>
    <div class="pairing">
      <Explanation />
      {isPairingHelp() ? (
        <>
          <p>
            On the machine where Rein runs, type <code>rein web</code>. It opens this page and pairs this browser.
          </p>
          <p>
            For a phone or another machine, type <code>rein web pair</code> and scan the code that it shows.
          </p>
        </>
      ) : null}
      {connection.value === 'refused' ? (
        <div class="row">
          <button type="button" class="button" onClick={() => link.start()}>
            Try again
          </button>
          {isPairingHelp() ? <Forget /> : null}
        </div>
      ) : null}
    </div>
  </Page>
)

/** Loaded when it is wanted: what it forgets with has no place in the first view. */
const Forget = () => {
  const parts = useSignal<typeof import('../store/forget.ts') | null>(null)
  useEffect(() => {
    void attempt(async () => {
      parts.value = await import('../store/forget.ts')
    })
  }, [])
  if (parts.value === null) return null
  const { findLoss, forgetBrowser } = parts.value
  const loss = findLoss()
  return (
    <>
      <ActionButton
        action={{ name: 'Forget the key of this browser', icon: 'close', isHard: true, run: forgetBrowser }}
      />
      {loss === '' ? null : <span class="soft small">That deletes {loss}.</span>}
    </>
  )
}

/** A pairing that failed, and why this browser is not let in as it is: either may be true without the other. */
const Explanation = () => {
  if (pairing.value.step === 'pairing') return <p role="status">Pairing …</p>
  const refusal = link.refusal.value
  return (
    <>
      {pairing.value.step === 'failed' ? (
        <p class="notice notice-bad" role="alert">
          {pairing.value.message}
        </p>
      ) : null}
      {refusal === null ? null : (
        <p class="notice notice-bad" role="alert">
          {failureText(refusal)}
        </p>
      )}
    </>
  )
}
