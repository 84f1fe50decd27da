import { useEffect, useRef, useState } from 'preact/hooks'
import { projectName } from '../../contract/handle.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import { isOpen, may } from '../link/api.ts'
import { pathTo } from '../match-path.ts'
import { Ago } from '../parts/ago.tsx'
import { Icon } from '../parts/icon.tsx'
import { shown } from '../parts/text.ts'
import { useArmed } from '../parts/use-armed.ts'
import { hrefOf } from '../router.ts'
import { findAgent } from '../store/agents.ts'
import { type AnswerButton, asReason, choicesFor, subQuestions } from '../store/choices.ts'
import type { Card } from '../store/question-book.ts'
import { answerQuestion, dismissOutcome } from '../store/questions.ts'
import { AllowAlways } from './allow-always.tsx'
import { AskedInput } from './asked-input.tsx'
import { QuestionForm } from './question-form.tsx'

const kindWords = { permission: 'asks to use', plan: 'wants its plan approved', question: 'asks you' } as const

interface QuestionCardProps {
  card: Card
  /** All that stands above and in this card: its buttons are armed by it. */
  shownAbove: string
  isFocused: boolean
}

export const QuestionCard = ({ card, shownAbove, isFocused }: QuestionCardProps) => {
  const { agent, question, since, isHeld, key, isGone } = card
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFocused) return
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
  }, [isFocused])
  const asked = subQuestions(question)
  const id = `question-${key.replaceAll(/\W/g, '-')}`
  return (
    <li class={isFocused ? 'question is-focused' : 'question'} aria-labelledby={id}>
      <header class="question-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          <a href={hrefOf(pathTo('agent', agent.project, agent.handle))}>{agent.handle}</a>{' '}
          <span class="soft">{kindWords[question.kind]}</span>
          {question.kind === 'permission' ? ` ${shown(question.tool)}` : ''}
        </h2>
        <div class="small soft">
          {projectName(agent.project)}
          {question.kind === 'permission' ? '' : ` · ${shown(question.tool)}`} · waits for <Ago at={since} />
          {isHeld ? ' · held: the agent goes on meanwhile' : ''}
        </div>
      </header>
      {question.why === undefined ? null : <p class="notice notice-warn question-why">{shown(question.why)}</p>}
      <AskedInput question={question} isStructured={asked.length > 0} />
      {isGone ? null : <Answers card={card} shownAbove={shownAbove} formId={id} />}
      <Outcome card={card} />
    </li>
  )
}

/** Why nothing can be answered now; null: it can. */
const whyOff = ({ agent, question }: Card): string | null => {
  if (isLoginQuestion(question) && (question.options ?? []).length === 0)
    return `Log in to its CLI, then: rein restart ${agent.project}/${agent.handle}`
  if (!may('answer')) return 'This device may not answer.'
  return isOpen.value ? null : 'No connection: nothing can be answered now.'
}

interface AnswersProps {
  card: Card
  shownAbove: string
  formId: string
}

const Answers = ({ card, shownAbove, formId }: AnswersProps) => {
  const { agent, question, answering } = card
  const [isWriting, setWriting] = useState(false)
  const host = findAgent(agent.project, agent.handle)?.host ?? null
  const { buttons, words } = choicesFor(question, host)
  const asked = subQuestions(question)
  const off = whyOff(card)
  const isArmed = useArmed(`${off} ${shownAbove}`)
  const isOff = off !== null || answering?.step === 'sending'
  const answer = (text: string): void => void answerQuestion(card, text)
  const isForm = asked.length > 1 || asked.some(({ isMany }) => isMany)
  return (
    <div class="question-answers">
      {off === null ? null : <p class="question-off">{off}</p>}
      {isForm ? (
        <QuestionForm id={formId} asked={asked} isOff={isOff || !isArmed} onAnswer={answer} />
      ) : (
        <>
          {asked.map(({ question: text }, at) => (
            <p key={at}>{shown(text)}</p>
          ))}
          <div class="question-buttons">
            {buttons.map((button) => (
              <AnswerChoice key={button.answer} button={button} isOff={isOff || !isArmed} onAnswer={answer} />
            ))}
            {words === null ? null : (
              <button type="button" class="button" aria-expanded={isWriting} onClick={() => setWriting(!isWriting)}>
                {words === 'denial' ? 'Deny, and say why …' : 'In your own words …'}
              </button>
            )}
          </div>
          <AllowAlways card={card} isOff={isOff || !isArmed} />
          {words !== null && isWriting ? (
            <OwnWords
              label={words === 'denial' ? 'Why not' : 'Your answer'}
              isOff={isOff}
              onAnswer={(text) => answer(words === 'denial' ? asReason(text, question) : text)}
            />
          ) : null}
        </>
      )}
    </div>
  )
}

const toneClasses = { allow: 'button button-main', deny: 'button button-bad', plain: 'button question-plain' } as const

interface AnswerChoiceProps {
  button: AnswerButton
  isOff: boolean
  onAnswer: (answer: string) => void
}

const AnswerChoice = ({ button: { answer, label, tone, about }, isOff, onAnswer }: AnswerChoiceProps) => (
  <button
    type="button"
    class={toneClasses[tone]}
    disabled={isOff}
    data-answer={answer}
    onClick={() => onAnswer(answer)}
  >
    <span>
      {shown(label)}
      {about === '' ? null : <span class="question-about">{shown(about)}</span>}
    </span>
  </button>
)

interface OwnWordsProps {
  label: string
  isOff: boolean
  onAnswer: (answer: string) => void
}

const OwnWords = ({ label, isOff, onAnswer }: OwnWordsProps) => {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      class="question-words"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '' && !isOff) onAnswer(text)
      }}
    >
      <label class="field grow">
        <span>{label}</span>
        <textarea rows={2} value={text} ref={field} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button type="submit" class="button button-main" disabled={isOff || text.trim() === ''}>
        Send
      </button>
    </form>
  )
}

const outcomeWords = { refused: 'Not answered.', unknown: 'Not known whether it was answered.' } as const

const Outcome = ({ card: { answering, key, isGone, agent } }: { card: Card }) => (
  <div role="status" class="question-outcome">
    {answering?.step === 'sending' ? <p class="soft">Answering {agent.handle} …</p> : null}
    {answering?.step === 'refused' || answering?.step === 'unknown' ? (
      <div class="notice notice-bad">
        <p>
          <strong>{outcomeWords[answering.step]}</strong> {shown(answering.message)} {shown(answering.hint ?? '')}
        </p>
        <button type="button" class="button" onClick={() => dismissOutcome(key)}>
          <Icon name="close" /> {isGone ? 'Remove' : 'Close'}
        </button>
      </div>
    ) : null}
  </div>
)
