import type { KnownFailure } from './known.ts'

export const rubyPhp: readonly KnownFailure[] = [
  {
    name: 'bundle-gems-missing',
    output: [
      /Could not find (?<gem>[\w-]+)-[\d.]+[\w.-]* in (?:any of the sources|locally installed gems)|Run `bundle install` to install missing gems|Bundler::GemNotFound/,
    ],
    means: 'Gems that the Gemfile names are not installed.',
    run: ['bundle check', 'bundle install'],
    sample: {
      command: 'bundle exec rspec',
      exit: 7,
      output:
        'Could not find rake-13.2.1 in locally installed gems (Bundler::GemNotFound)\nRun `bundle install` to install missing gems.',
    },
  },
  {
    name: 'bundle-no-gemfile',
    output: [/Could not locate Gemfile/],
    means: 'There is no Gemfile here: the command belongs into another directory.',
    run: ['git ls-files "*Gemfile"'],
    sample: { command: 'bundle install', exit: 10, output: 'Could not locate Gemfile or .bundle/ directory' },
  },
  {
    name: 'ruby-version',
    output: [/Your Ruby version is (?<found>[\d.]+), but your Gemfile specified (?<wanted>[^\s]+)/],
    means: 'The project wants Ruby {wanted}, and {found} runs.',
    run: ['ruby --version', 'cat .ruby-version'],
    sample: {
      command: 'bundle install',
      exit: 18,
      output: 'Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0',
    },
  },
  {
    name: 'ruby-load-error',
    output: [/cannot load such file -- (?<file>[\w./-]+) \(LoadError\)/],
    means: 'Ruby finds no {file}: a gem is missing, or the command runs outside of bundler.',
    run: ['bundle list', 'gem list'],
    sample: {
      command: 'ruby app.rb',
      exit: 1,
      output:
        "<internal:/usr/lib/ruby/rubygems/core_ext/kernel_require.rb>:85:in `require': cannot load such file -- sinatra (LoadError)\n\tfrom app.rb:1:in `<main>'",
    },
  },
  {
    name: 'composer-not-installed',
    output: [
      /Failed opening required '[^'\n]*vendor\/autoload\.php'|require\([^)\n]*vendor\/autoload\.php\): [Ff]ailed to open stream/,
    ],
    means: 'The PHP packages of the project are not installed.',
    run: ['composer install'],
    sample: {
      command: 'php artisan migrate',
      exit: 255,
      output:
        "PHP Fatal error:  Uncaught Error: Failed opening required '/srv/app/vendor/autoload.php' (include_path='.:/usr/share/php') in /srv/app/artisan:18",
    },
  },
  {
    name: 'composer-requirements',
    output: [
      /Your requirements could not be resolved to an installable set of packages|requires ext-(?<extension>\w+) \*/,
    ],
    means: 'Composer finds no set of versions that fits this PHP and its extensions.',
    run: ['composer check-platform-reqs', 'php --version'],
    sample: {
      command: 'composer install',
      exit: 2,
      output:
        'Your requirements could not be resolved to an installable set of packages.\n\n  Problem 1\n    - phpunit/phpunit 11.0.0 requires ext-dom * -> it is missing from your system.',
    },
  },
]
