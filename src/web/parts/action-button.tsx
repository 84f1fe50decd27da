import { useState } from 'preact/hooks'
import type { AgentAction } from '../store/actions.ts'
import { Icon } from './icon.tsx'
import { useAskAgain } from './use-ask-again.ts'

/** Does it; what ends something asks once more, in its own place. */
export const ActionButton = ({ action, isSmall = false }: { action: AgentAction; isSmall?: boolean }) => {
  const { asking, press } = useAskAgain()
  const [isBusy, setBusy] = useState(false)
  const { name, icon, isHard, of, run } = action
  const isArmed = asking !== null
  const act = async (): Promise<void> => {
    if (isHard && !press(name)) return
    setBusy(true)
    try {
      await run()
    } finally {
      setBusy(false)
    }
  }
  const words = isArmed ? `${name}, really?` : name
  return (
    <>
      <button
        type="button"
        class={`button${isHard ? ' button-bad' : ''}${isArmed ? ' is-armed' : ''}`}
        aria-label={of === undefined ? words : `${words} ${of}`}
        title={words}
        disabled={isBusy}
        aria-disabled={isArmed && !asking.isReady}
        onKeyDown={(event) => {
          // A key that is held down is one press.
          if (event.key === 'Enter' && event.repeat) event.preventDefault()
        }}
        onClick={() => void act()}
      >
        <Icon name={icon} />
        {isSmall && !isArmed ? null : <span class="action-word">{words}</span>}
      </button>
      {isHard ? (
        <span class="sr-only" role="status">
          {isArmed ? words : ''}
        </span>
      ) : null}
    </>
  )
}
