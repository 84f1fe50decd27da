import type { PathText } from '../sessions/snapshots/path-text.ts'
import { linkMode, programMode } from '../sessions/snapshots/tree.ts'

export interface ReviewItem {
  path: PathText
  reason: string
}

/** What can make a program run that nobody has asked for, by where it lies. */
const places: readonly [RegExp, string][] = [
  [
    /(^|\/)(\.claude|\.codex|\.gemini|\.copilot|\.opencode|\.agents|\.cursor)\//i,
    'settings, hooks or instructions of an agent',
  ],
  [
    /(^|\/)(\.mcp\.json|opencode\.jsonc?|CLAUDE(\.local)?\.md|AGENTS(\.override)?\.md|GEMINI\.md|\.github\/copilot-instructions\.md)$/i,
    'settings or instructions of an agent',
  ],
  [
    /(^|\/)(\.envrc|\.env(\..+)?|mise\.toml|\.tool-versions|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs)$/i,
    'an environment that tools load',
  ],
  [/(^|\/)(\.vscode|\.idea|\.devcontainer|\.zed)\//i, 'settings of an editor'],
  [/(^|\/)(\.husky|\.githooks|hooks)\/|(^|\/)(\.pre-commit-config\.ya?ml|lefthook\.ya?ml)$/i, 'hooks of git'],
  [/(^|\/)\.git(attributes|modules)$/i, 'settings of git'],
  [
    /(^|\/)(\.github|\.gitlab|\.circleci|\.buildkite)\/|(^|\/)(\.gitlab-ci\.yml|Jenkinsfile|azure-pipelines\.yml|\.travis\.yml)$/i,
    'continuous integration',
  ],
  [
    /(^|\/)(package\.json|Makefile|justfile|Rakefile|setup\.py|build\.rs|conftest\.py|binding\.gyp|Dockerfile|compose\.ya?ml)$/i,
    'scripts that tools run',
  ],
]

/** What a person should have looked at before it is written; null for all else. */
export const reasonToReview = (path: PathText, mode: string): string | null => {
  const [, reason] = places.find(([pattern]) => pattern.test(path)) ?? []
  if (reason !== undefined) return reason
  if (mode === linkMode) return 'a link'
  return mode === programMode ? 'a program' : null
}

export const reviewOf = (files: readonly { path: PathText; mode: string }[]): ReviewItem[] =>
  files.flatMap(({ path, mode }) => {
    const reason = reasonToReview(path, mode)
    return reason === null ? [] : [{ path, reason }]
  })
