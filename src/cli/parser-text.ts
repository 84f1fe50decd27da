import { type ApplicationText, formatMessageForArgumentScannerError, text_en } from '@stricli/core'
import { asReinError } from '../contract/errors.ts'

/** How the parser of the command line complains. `explain-usage.ts` adds what to do. */
export const parserText: ApplicationText = {
  ...text_en,
  exceptionWhileParsingArguments: (error) =>
    formatMessageForArgumentScannerError(error as Parameters<typeof formatMessageForArgumentScannerError>[0], {
      AliasNotFoundError: ({ input }) => `There is no option -${input}.`,
      FlagNotFoundError: ({ input }) => `There is no option --${input.replace(/^--/, '')}.`,
      ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
        `Invalid value "${input}" for ${name}: ${asReinError(exception).message}.`,
      EnumValidationError: ({ externalFlagName: name, input, values }) =>
        `Invalid value "${input}" for --${name.replace(/^--/, '')}: it takes ${values.join(', ')}.`,
      UnexpectedFlagError: ({ externalFlagName: name, previousInput, input }) =>
        `--${name.replace(/^--/, '')} was given twice: "${previousInput}" and "${input}".`,
      UnexpectedPositionalError: ({ input }) => `Unexpected argument "${input}".`,
      UnsatisfiedFlagError: ({ externalFlagName: name }) => `--${name.replace(/^--/, '')} needs a value.`,
      UnsatisfiedPositionalError: ({ placeholder }) => `Missing argument: ${placeholder}.`,
    }),
}
