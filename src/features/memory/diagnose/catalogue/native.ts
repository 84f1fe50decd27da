import type { KnownFailure } from './known.ts'

/** make, cmake and the C compilers. */
export const native: readonly KnownFailure[] = [
  {
    name: 'make-no-makefile',
    output: [/make(?:\[\d+\])?: \*\*\* No targets specified and no makefile found/],
    means: 'There is no Makefile here: the command belongs into another directory, or it is generated first.',
    run: ['pwd', 'git ls-files "*Makefile*" "*CMakeLists.txt"'],
    sample: { command: 'make', exit: 2, output: 'make: *** No targets specified and no makefile found.  Stop.' },
  },
  {
    name: 'make-no-rule',
    output: [/No rule to make target [`'](?<target>[^'\n]+)'/],
    means: 'There is no target {target}: misspelt, or a file that it is made from is missing.',
    run: ['make -qp', 'grep -n "^[a-z][^ ]*:" Makefile'],
    sample: { command: 'make nope', exit: 2, output: "make: *** No rule to make target 'nope'.  Stop." },
  },
  {
    name: 'task-unknown',
    output: [
      /mise ERROR no tasks? (?<target>[\w:.-]+) found/,
      /Justfile does not contain recipe [`'](?<target>[\w-]+)/i,
      /task: Task "(?<target>[^"\n]+)" does not exist/,
    ],
    means: 'The task runner knows no task {target}.',
    run: ['mise tasks', 'just --list', 'task --list'],
    sample: {
      command: 'mise run lint:full',
      exit: 1,
      output:
        'mise ERROR no task lint:full found\nmise ERROR Run with --verbose or MISE_VERBOSE=1 for more information',
    },
  },
  {
    name: 'make-separator',
    output: [/^(?<file>[^\s:]+):(?<line>\d+): \*\*\* missing separator/m],
    means: 'Line {line} of {file} begins with blanks where make wants a tab.',
    run: ['grep -n "^  " {file}'],
    sample: { command: 'make', exit: 2, output: 'Makefile:2: *** missing separator.  Stop.' },
  },
  {
    name: 'make-recipe-failed',
    output: [/^make(?:\[\d+\])?: \*\*\* \[(?:[^\]\n]*: )?(?<target>[^\]\n]+)\] Error (?<code>\d+)/m],
    vague: true,
    means: 'The recipe of {target} failed with exit code {code}; the reason is further up.',
    run: ['make -n {target}'],
    sample: { command: 'make build', exit: 2, output: 'false\nmake: *** [Makefile:4: build] Error 1' },
  },
  {
    name: 'cmake-no-lists',
    output: [/does not appear to contain CMakeLists\.txt/],
    means: 'CMake was pointed at a directory without CMakeLists.txt.',
    run: ['git ls-files "*CMakeLists.txt"'],
    sample: {
      command: 'cmake .',
      exit: 1,
      output:
        'CMake Error: The source directory "/srv/app" does not appear to contain CMakeLists.txt.\nSpecify --help for usage, or press the help button on the CMake GUI.',
    },
  },
  {
    name: 'cmake-not-configured',
    output: [/Error: could not load cache|Error: .*is not a directory\n?.*cmake --build/],
    means: 'The build directory was not configured yet.',
    run: ['cmake -S . -B build'],
    sample: { command: 'cmake --build build', exit: 1, output: 'Error: could not load cache' },
  },
  {
    name: 'cmake-cache-moved',
    output: [
      /The current CMakeCache\.txt directory .* is different than|does not match the source .* used to generate cache/,
    ],
    means: 'The build directory was configured at another place; configure a new one.',
    run: ['cmake -S . -B build-new'],
    sample: {
      command: 'cmake ..',
      exit: 1,
      output:
        'CMake Error: The current CMakeCache.txt directory /srv/b/CMakeCache.txt is different than the directory /srv/a where CMakeCache.txt was created.',
    },
  },
  {
    name: 'cmake-package-missing',
    output: [
      /Could not find a package configuration file provided by "(?<package>[\w+-]+)"/,
      /Could NOT find (?<package>[\w+-]+) \(missing: /,
    ],
    means: 'CMake does not find the library {package}: its development files are not installed, or elsewhere.',
    run: ['pkg-config --list-all', 'cmake -LA -N .'],
    sample: {
      command: 'cmake -B build',
      exit: 1,
      output:
        'CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find a package configuration file provided by "Qt6" with any of\n  the following names:\n\n    Qt6Config.cmake',
    },
  },
  {
    name: 'cmake-too-old',
    output: [
      /CMake (?<version>[\d.]+) or higher is required\.\s+You are running version/,
      /Compatibility with CMake < [\d.]+ has been removed/,
    ],
    means: 'The project wants another version of CMake than the one that is installed.',
    run: ['cmake --version'],
    sample: {
      command: 'cmake -B build',
      exit: 1,
      output:
        'CMake Error at CMakeLists.txt:1 (cmake_minimum_required):\n  CMake 3.28 or higher is required.  You are running version 3.25.1',
    },
  },
  {
    name: 'c-header-missing',
    output: [/fatal error: '?(?<header>[\w./+-]+\.(?:h|hpp|hh))'?(?:: No such file or directory| file not found)/],
    means: 'The header {header} is not found: the development package of a library is missing, or an include path.',
    run: ['pkg-config --list-all', 'find /usr/include -path "*{header}"'],
    sample: {
      command: 'gcc -c a.c',
      exit: 1,
      output:
        'a.c:1:10: fatal error: zlib.h: No such file or directory\n    1 | #include <zlib.h>\n      |          ^~~~~~~~\ncompilation terminated.',
    },
  },
  {
    name: 'c-undefined-reference',
    obvious: true,
    output: [
      /undefined reference to [`'](?<symbol>[^'\n]+)'/,
      /Undefined symbols for architecture \w+:\s+"(?<symbol>[^"\n]+)"/,
    ],
    means: 'The linker finds no {symbol}: an object file or a library is not linked, or comes in the wrong order.',
    run: ['make -n'],
    sample: {
      command: 'gcc b.c',
      exit: 1,
      output:
        "/usr/bin/ld: /tmp/ccu35OBO.o: in function `main':\nb.c:(.text+0xa): undefined reference to `f'\ncollect2: error: ld returned 1 exit status",
    },
  },
  {
    name: 'c-library-missing',
    output: [/cannot find -l(?<library>[\w.+-]+)/, /ld: library '?(?<library>[\w.+-]+)'? not found/],
    means: 'The linker finds no library {library}: its development package is missing, or a library path.',
    run: ['ldconfig -p', 'pkg-config --libs {library}'],
    sample: {
      command: 'gcc b.c -lssl',
      exit: 1,
      output: '/usr/bin/ld: cannot find -lssl: No such file or directory\ncollect2: error: ld returned 1 exit status',
    },
  },
  {
    name: 'c-compile-error',
    output: [/^(?<file>[^\s:]+\.(?:c|cc|cpp|cxx|h|hpp|m|mm)):(?<line>\d+):\d+: error: /m],
    vague: true,
    means: 'The code does not compile; the first error is in {file} at line {line}.',
    run: ['git diff --stat'],
    sample: {
      command: 'gcc c.c',
      exit: 1,
      output:
        'c.c: In function ‘main’:\nc.c:1:12: error: ‘retrun’ undeclared (first use in this function)\n    1 | int main(){retrun 0}\n      |            ^~~~~~',
    },
  },
]
