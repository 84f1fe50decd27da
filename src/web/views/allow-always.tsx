import { useState } from 'preact/hooks'
import type { AgentView } from '../../contract/routes/agents.ts'
import { call, isOpen, may } from '../link/api.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { shown } from '../parts/text.ts'
import { attempt, tellSuccess } from '../parts/toast.tsx'
import type { Card } from '../store/question-book.ts'
import { allowForGood } from '../store/questions.ts'
import { targetOf } from '../store/target.ts'

interface AllowAlwaysProps {
  card: Card
  isOff: boolean
}

/** Allows exactly this call for good: what that means stands beside the button that does it. */
export const AllowAlways = ({ card, isOff }: AllowAlwaysProps) => {
  const { agent, question, canAlways } = card
  const [isShown, setShown] = useState(false)
  if (!canAlways || !may('control')) return null
  const allow = async (): Promise<void> => {
    if (await allowForGood(card)) tellSuccess(`${agent.handle} is not asked about this call again.`)
  }
  return (
    <div class="question-always">
      <button type="button" class="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        Always allow …
      </button>
      {isShown ? (
        <div class="notice notice-warn">
          <p>
            Whenever {shown(agent.handle)} asks for <strong>{shown(question.tool)}</strong> with exactly the input
            above, Rein allows it, without asking anybody. What that does may be different by then. You take it back in
            the view of the agent.
          </p>
          <button type="button" class="button button-main" disabled={isOff} onClick={() => void allow()}>
            Always allow this call
          </button>
        </div>
      ) : null}
    </div>
  )
}

/** What an agent is not asked about any more. */
export const AllowedCalls = ({ agent }: { agent: AgentView }) => {
  const { allowed = [] } = agent
  if (allowed.length === 0) return null
  const askAgain = (id: string): Promise<void> =>
    attempt(async () => {
      await call('askAgain', { ...targetOf(agent), call: id })
    })
  return (
    <details class="talk-note small">
      <summary>Always allowed: {allowed.length}</summary>
      <ul class="rows">
        {allowed.map(({ id, summary }) => (
          <li key={id} class="rows-row">
            <code class="grow">{shown(summary)}</code>
            {may('control') && isOpen.value ? (
              <ActionButton
                action={{
                  name: 'Ask about it again',
                  of: shown(summary),
                  icon: 'close',
                  isHard: false,
                  run: () => askAgain(id),
                }}
                isSmall
              />
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  )
}
