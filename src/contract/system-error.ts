/** What a failed system call means to a person: what happened, and what to do about it. */
interface SystemFailure {
  message: string
  hint?: string
}

interface SystemError {
  code: string
  syscall: string
  path?: unknown
  dest?: unknown
  message: string
}

/** Null where this is no error of the operating system, or one that needs no other words. */
export const explainSystemError = (cause: unknown, options: { isWriting?: boolean } = {}): SystemFailure | null => {
  if (!(cause instanceof Error)) return null
  const error = cause as Error & Partial<SystemError>
  if (typeof error.code !== 'string' || typeof error.syscall !== 'string') return null
  const path = typeof error.path === 'string' ? error.path : null
  if (error.syscall.startsWith('spawn')) {
    const program = path ?? error.syscall.replace(/^spawn /, '')
    if (error.code === 'ENOENT')
      return { message: `${program} is not installed, or not on the PATH.`, hint: 'Check what is missing: rein doctor' }
    if (error.code === 'EACCES')
      return {
        message: `${program} cannot be run: permission denied.`,
        hint: `Check its mode: ls -l ${shellWord(program)}`,
      }
    if (error.code === 'E2BIG') return { message: `${program} was given more text than a program can take.` }
    if (error.code === 'EAGAIN' || error.code === 'ENOMEM')
      return { message: `${program} cannot be started: the system has no room for another process.` }
    return null
  }
  if (error.code === 'EADDRINUSE') return portTaken
  if (path === null) return null
  // A file is written under another name first, which says nothing to a person: the name that was meant is shown.
  const meant = path.replace(/\/\.([^/]+)\.[0-9a-f-]{36}\.tmp$/, '/$1')
  if (error.code === 'ENOENT' && error.syscall === 'open' && (meant !== path || options.isWriting === true))
    return missingDirectory(meant)
  return explainPath(error.code, error.syscall, meant) ?? null
}

/** A file that is to be written needs no file, but its directory. */
export const missingDirectory = (file: string): Required<SystemFailure> => ({
  message: `${file} cannot be written: there is no directory ${parentOf(file)}.`,
  hint: `Make it: mkdir -p ${shellWord(parentOf(file))}`,
})

/** As it can be typed. */
const shellWord = (path: string): string => (/^[\w./+,=@:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

const portTaken: SystemFailure = {
  message: 'The port is used by another program.',
  hint: 'Let Rein choose a free one: rein config set daemon.port 0',
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

const explainPath = (code: string, syscall: string, path: string): SystemFailure | undefined => {
  const isWriting = /^(open|mkdir|rename|copyfile|write|link|symlink)$/.test(syscall)
  const failures: Record<string, SystemFailure> = {
    ENOENT:
      syscall === 'mkdir'
        ? {
            message: `${path} cannot be created: a directory above it is missing, or its disk is read-only.`,
            hint: `Choose a directory that you can write to, or create it: mkdir -p ${shellWord(parentOf(path))}`,
          }
        : {
            message: `There is no file or directory ${path}.`,
            hint: `Check the path: ls -ld ${shellWord(parentOf(path))}`,
          },
    EACCES: {
      message: `${path} cannot be ${isWriting ? 'opened' : 'used'}: permission denied.`,
      hint: `Check owner and mode: ls -ld ${shellWord(path)}`,
    },
    EPERM: {
      message: `${path} cannot be changed: the system does not permit it.`,
      hint: `Check it: ls -ld ${shellWord(path)}`,
    },
    EROFS: {
      message: `${path} cannot be written: its disk is read-only.`,
      hint: 'Choose a directory on another disk, or mount this one for writing.',
    },
    EISDIR: { message: `${path} is a directory, not a file.`, hint: 'Name a file.' },
    ENOTDIR: { message: `${path} cannot be used: a part of it is a file, not a directory.`, hint: 'Check the path.' },
    EEXIST: { message: `${path} exists already.`, hint: 'Choose another name, or move it away.' },
    ENOSPC: { message: `${path} cannot be written: the disk is full.`, hint: 'Free some space: df -h' },
    EDQUOT: { message: `${path} cannot be written: your disk quota is used up.`, hint: 'Free some space: quota' },
    ENAMETOOLONG: {
      message: `The path ${path.length <= 80 ? path : `${path.slice(0, 80)}…`} is too long.`,
      hint: 'Choose a shorter one.',
    },
    ELOOP: {
      message: `${path} is a symbolic link that leads back to itself.`,
      hint: `Check it: ls -l ${shellWord(path)}`,
    },
    EMFILE: { message: 'Too many files are open.', hint: 'Raise the limit: ulimit -n 4096' },
    ENFILE: { message: 'The system has too many open files.' },
  }
  return failures[code]
}
