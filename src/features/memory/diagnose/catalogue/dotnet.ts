import type { KnownFailure } from './known.ts'

export const dotnet: readonly KnownFailure[] = [
  {
    name: 'dotnet-no-project',
    output: [/MSB1003: Specify a project or solution file|Couldn't find a project to run/],
    means: 'There is no project or solution here: the command belongs into another directory.',
    run: ['git ls-files "*.sln" "*.csproj"'],
    sample: {
      command: 'dotnet build',
      exit: 1,
      output:
        'MSBUILD : error MSB1003: Specify a project or solution file. The current working directory does not contain a project or solution file.',
    },
  },
  {
    name: 'dotnet-sdk-missing',
    output: [
      /A compatible \.NET SDK was not found|error NETSDK1045: The current \.NET SDK does not support targeting|You must install(?: or update)? \.NET to run this application/,
    ],
    means: 'The project asks for another version of .NET than those that are installed.',
    run: ['dotnet --list-sdks', 'dotnet --list-runtimes'],
    sample: {
      command: 'dotnet build',
      exit: 155,
      output:
        'A compatible .NET SDK was not found.\n\nRequested SDK version: 9.0.100\nglobal.json file: /srv/app/global.json',
    },
  },
  {
    name: 'dotnet-not-restored',
    output: [/error NETSDK1004: Assets file '[^'\n]+' not found/],
    means: 'The packages of the project were not restored yet.',
    run: ['dotnet restore'],
    sample: {
      command: 'dotnet build --no-restore',
      exit: 1,
      output:
        "error NETSDK1004: Assets file '/srv/app/obj/project.assets.json' not found. Run a NuGet package restore to generate this file.",
    },
  },
  {
    name: 'dotnet-package-unknown',
    output: [/error NU110[123]: Unable to find (?:package|a stable package) (?<package>[\w.-]+)/],
    means: 'No source has the package {package} in that version.',
    run: ['dotnet nuget list source', 'dotnet package search {package}'],
    sample: {
      command: 'dotnet restore',
      exit: 1,
      output:
        '/srv/app/app.csproj : error NU1101: Unable to find package Acme.Core. No packages exist with this id in source(s): nuget.org',
    },
  },
  {
    name: 'dotnet-compile-error',
    output: [/^[ \t]*(?<file>[^\s(]+)\((?<line>\d+),\d+\): error (?<code>(?:CS|FS|BC)\d+): /m],
    vague: true,
    means: 'The code does not compile: {file}, line {line} ({code}).',
    run: ['dotnet build --no-restore -v quiet'],
    sample: {
      command: 'dotnet build',
      exit: 1,
      output:
        "/srv/app/Program.cs(3,9): error CS0103: The name 'Foo' does not exist in the current context [/srv/app/app.csproj]\n    0 Warning(s)\n    1 Error(s)",
    },
  },
]
