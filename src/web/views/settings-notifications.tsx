import { useEffect, useState } from 'preact/hooks'
import { isOpen } from '../link/api.ts'
import { attempt, tellFailure, tellSuccess } from '../parts/toast.tsx'
import { shown } from '../parts/text.ts'
import { lookAtPush, pushShowsDetail, pushState, switchPushOff, switchPushOn, testPush } from '../store/push.ts'

const test = async (): Promise<void> => tellSuccess(`${await testPush()} has taken it: it should appear soon.`)

export const Notifications = () => {
  const [isBusy, setBusy] = useState(false)
  const isConnected = isOpen.value
  useEffect(() => {
    if (isConnected) lookAtPush().catch(tellFailure)
  }, [isConnected])
  const state = pushState.value
  const act = async (does: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    await attempt(does)
    setBusy(false)
  }
  return (
    <section class="settings-part" aria-labelledby="settings-push" aria-busy={state === null}>
      <h2 id="settings-push">Notifications</h2>
      <p class="soft">When an agent asks you something, crashes, reaches its limit, or writes to you.</p>
      {state?.kind === 'impossible' ? <p class="notice">{state.why}</p> : null}
      {state?.kind === 'broken' ? (
        <p class="notice notice-warn">They were on, but this browser or Rein has lost them. Switch them on again.</p>
      ) : null}
      {state?.kind === 'on' ? (
        <p>
          On, by way of {shown(state.service)}.{' '}
          {pushShowsDetail.value
            ? 'They say what is asked: so does the lock screen.'
            : 'They name the agent, and not what it asks.'}
        </p>
      ) : null}
      {state?.kind === 'impossible' ? null : (
        <div class="row">
          {state?.kind === 'on' ? (
            <>
              <button type="button" class="button" disabled={isBusy} onClick={() => void act(test)}>
                Send a test
              </button>
              <button type="button" class="button button-bad" disabled={isBusy} onClick={() => void act(switchPushOff)}>
                Switch off
              </button>
            </>
          ) : (
            <button
              type="button"
              class="button button-main"
              disabled={isBusy || state === null}
              onClick={() => void act(switchPushOn)}
            >
              Switch on
            </button>
          )}
        </div>
      )}
    </section>
  )
}
