import { ExitCode } from '@stricli/core'
import { hintNearest, nearest } from '../base/util/nearest.ts'
import { ReinError } from '../contract/errors.ts'
import { findPage } from './command.ts'
import { shorten } from './format.ts'
import { findTarget, kebabName, metavariable, type Target, usage } from './help.ts'
import { explainWord } from './words.ts'

const wordLimit = 40

/** Turns the complaints of the command line parser into an error that says what to type. */
export const explainUsage = (
  root: Target,
  words: readonly string[],
  code: number,
  complaints: readonly string[],
): ReinError => {
  const message = complaints.join('').trim()
  if (code !== ExitCode.UnknownCommand && code !== ExitCode.InvalidArgument) return new ReinError('failed', message)
  const { target, route, unknown } = findTarget(root, words)
  if (unknown !== undefined) {
    if (unknown.word.startsWith('-'))
      return new ReinError(
        'usage',
        `There is no option ${unknown.word} here.`,
        'Options follow the command, like: rein ps --json',
      )
    const known = explainWord([...route.slice(1), unknown.word].join(' '))
    const meant = nearest(unknown.word, unknown.names)
    const list = `List the commands: ${['rein', 'help', ...route.slice(1)].join(' ')}`
    const hint = known ?? (meant === undefined ? list : `Did you mean \`${[...route, meant].join(' ')}\`?`)
    return new ReinError(
      'usage',
      `There is no command \`${[...route, shorten(unknown.word, wordLimit)].join(' ')}\`.`,
      hint,
    )
  }
  const page = findPage(target)
  if (page === undefined) return new ReinError('usage', message, `See \`${route.join(' ')} --help\`.`)
  const lines = message.split('\n')
  const command = route.join(' ')
  const how = [`Usage: ${usage(route, page)}`, `Example: ${page.examples[0]}`]
  const missing = lines.flatMap((line) => /^Missing argument: (.*)\.$/.exec(line)?.[1] ?? [])
  if (missing.length === lines.length) {
    const names = missing.map((placeholder) => metavariable({ brief: '', placeholder }))
    return new ReinError('usage', `\`${command}\` needs ${names.join(' and ')}.`, how.join('\n'))
  }
  const option = /^There is no option (-.*)\.$/.exec(message)?.[1]
  if (option !== undefined) {
    const options = Object.keys(page.flags).map((name) => `--${kebabName(name)}`)
    const hint = hintNearest(option, options, `List them: rein help ${route.slice(1).join(' ')}`)
    return new ReinError('usage', `\`${command}\` has no option ${option}.`, hint)
  }
  if (message.startsWith('Unexpected argument')) {
    const takesText = page.args.some(({ placeholder = '' }) => /^(text|prompt|title|payload)$/.test(placeholder))
    const quotes = takesText ? ['Put a text of several words in quotes.'] : []
    return new ReinError('usage', message, [...quotes, ...how].join('\n'))
  }
  const allowed = /^Invalid value "(.*)" for --.*: it takes (.*)\.$/.exec(message)
  const meant = allowed === null ? undefined : nearest(allowed[1] ?? '', (allowed[2] ?? '').split(', '))
  return new ReinError('usage', message, meant === undefined ? `See \`${command} --help\`.` : `Did you mean ${meant}?`)
}
