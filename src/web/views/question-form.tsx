import { useState } from 'preact/hooks'
import { shown } from '../parts/text.ts'
import { joinAnswers, type SubAnswer, type SubQuestion } from '../store/choices.ts'
import { noAnswer, withOption, withWords } from '../store/sub-answer.ts'

interface QuestionFormProps {
  id: string
  asked: readonly SubQuestion[]
  isOff: boolean
  onAnswer: (answer: string) => void
}

/** Several questions of a model that are answered together, or one with several answers. */
export const QuestionForm = ({ id, asked, isOff, onAnswer }: QuestionFormProps) => {
  const [given, setGiven] = useState<readonly SubAnswer[]>(asked.map(() => noAnswer))
  const change = (at: number, next: SubAnswer): void => setGiven(given.map((one, index) => (index === at ? next : one)))
  const answer = joinAnswers(asked, given)
  return (
    <form
      class="question-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (answer !== null && !isOff) onAnswer(answer)
      }}
    >
      {asked.map(({ question, header, options, isMany }, at) => (
        <fieldset key={at} class="question-set">
          <legend>
            {header === '' ? null : <span class="question-topic">{shown(header)}</span>} {shown(question)}
          </legend>
          {options.map(({ label, about }, index) => (
            <label key={index} class="question-option">
              <input
                type={isMany ? 'checkbox' : 'radio'}
                name={`${id} ${at}`}
                checked={(given[at] ?? noAnswer).chosen.includes(index)}
                onChange={() => change(at, withOption(given[at] ?? noAnswer, index, isMany))}
              />
              <span>
                {shown(label)}
                {about === '' ? null : <span class="question-about">{shown(about)}</span>}
              </span>
            </label>
          ))}
          <label class="field">
            <span>In your own words</span>
            <input
              type="text"
              value={(given[at] ?? noAnswer).words}
              onInput={({ currentTarget }) => change(at, withWords(given[at] ?? noAnswer, currentTarget.value))}
            />
          </label>
        </fieldset>
      ))}
      <button type="submit" class="button button-main" disabled={isOff || answer === null}>
        Answer
      </button>
    </form>
  )
}
