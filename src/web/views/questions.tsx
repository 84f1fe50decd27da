import { isOpen, may } from '../link/api.ts'
import { Empty, Page } from '../parts/page.tsx'
import { agents, useAgents } from '../store/agents.ts'
import { cardsOf, shownDownTo } from '../store/question-book.ts'
import { questions, useQuestions } from '../store/questions.ts'
import type { ViewProps } from './index.ts'
import { QuestionCard } from './question-card.tsx'

const countWords = (count: number): string => {
  if (count === 0) return 'Nobody waits for an answer.'
  return count === 1 ? 'One question waits.' : `${count} questions wait.`
}

/** What any agent asks, oldest first. `?question=ID`: a notification leads to this one. */
export const QuestionsView = ({ query: { question: wanted } }: ViewProps) => {
  useQuestions()
  // Where an agent runs decides whether it takes a reason.
  useAgents()
  const book = questions.value
  if (book === null) return <Page title="Questions">{null}</Page>
  const cards = cardsOf(book)
  const isGone = wanted !== undefined && !cards.some(({ question }) => question.id === wanted)
  // What moves the cards without being in one: a notice, what cannot be answered now, buttons that depend on the agent.
  const around = [isGone, isOpen.value, may('answer'), agents.value === null].join(' ')
  return (
    <Page title="Questions">
      <p class="sr-only" role="status">
        {countWords(book.open.length)}
      </p>
      {isGone ? (
        <p class="notice" role="status">
          The question that you came for is not open any more.
        </p>
      ) : null}
      {cards.length === 0 ? (
        <Empty title="Nobody asks anything.">Questions and permissions of all agents appear here.</Empty>
      ) : (
        <ul class="questions">
          {cards.map((card) => (
            <QuestionCard
              key={card.key}
              card={card}
              shownAbove={`${around} ${shownDownTo(cards, card.key)}`}
              isFocused={card.question.id === wanted}
            />
          ))}
        </ul>
      )}
    </Page>
  )
}
