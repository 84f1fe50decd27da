import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core'
import { asReinError } from '../contract/errors.ts'

const flagName = (name: string): string => `--${name.replace(/^--/, '')}`

/** How the parser of the command line complains; `explain-usage.ts` adds what to do. */
export const parserText: ApplicationText = {
  ...text_en,
  // By class: bundling changes the names of classes, by which Stricli would look up a formatter.
  exceptionWhileParsingArguments: (error) => {
    if (error instanceof UnsatisfiedPositionalError) return `Missing argument: ${error.placeholder}.`
    if (error instanceof UnexpectedPositionalError) return `Unexpected argument "${error.input}".`
    if (error instanceof FlagNotFoundError) return `There is no option ${flagName(error.input)}.`
    if (error instanceof AliasNotFoundError) return `There is no option -${error.input}.`
    if (error instanceof UnsatisfiedFlagError) return `${flagName(error.externalFlagName)} needs a value.`
    if (error instanceof UnexpectedFlagError)
      return `${flagName(error.externalFlagName)} was given twice: "${error.previousInput}" and "${error.input}".`
    if (error instanceof EnumValidationError)
      return `Invalid value "${error.input}" for ${flagName(error.externalFlagName)}: it takes ${error.values.join(', ')}.`
    if (error instanceof ArgumentParseError)
      return `Invalid value "${error.input}" for ${error.externalFlagNameOrPlaceholder}: ${asReinError(error.exception).message}.`
    return asReinError(error).message
  },
}
