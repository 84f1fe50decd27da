import type { KnownFailure } from './known.ts'

export const python: readonly KnownFailure[] = [
  {
    name: 'python-module-missing',
    output: [
      /^(?:E\s+)?ModuleNotFoundError: No module named '(?<module>[\w-]+)/m,
      /python[\d.]*(?:\.exe)?: No module named (?<module>[\w-]+)/,
    ],
    means:
      'The Python module {module} is not installed in the environment that ran (its package may have another name), or the wrong environment is active.',
    run: ['python -m pip show {module}', 'python -m pip install {module}'],
    sample: {
      command: 'python app.py',
      exit: 1,
      output: `Traceback (most recent call last):\n  File "app.py", line 1, in <module>\n    import requests\nModuleNotFoundError: No module named 'requests'`,
    },
  },
  {
    name: 'python-name-not-importable',
    output: [
      /^(?:E\s+)?ImportError: cannot import name '(?<name>\w+)' from (?:partially initialized module )?'(?<module>[\w.]+)'/m,
    ],
    means: 'The module {module} has no {name}: another version of it is installed, or two modules import each other.',
    run: ['python -c "import {module}; print({module}.__file__)"'],
    sample: {
      command: 'python3 -m app',
      exit: 1,
      output: `Traceback (most recent call last):\n  File "<string>", line 1, in <module>\nImportError: cannot import name 'escape' from 'jinja2' (/srv/venv/lib/python3.11/site-packages/jinja2/__init__.py)`,
    },
  },
  {
    name: 'python-script-missing',
    output: [/python[\d.]*(?:\.exe)?: can't open file '(?<file>[^'\n]+)': \[Errno 2\]/],
    means: 'There is no script {file}: the name or the current directory is not the expected one.',
    run: ['pwd', 'git ls-files "*.py"'],
    sample: {
      command: 'python reproduce_issue.py',
      exit: 2,
      output: `python: can't open file '/testbed/reproduce_issue.py': [Errno 2] No such file or directory`,
    },
  },
  {
    name: 'python-syntax',
    obvious: true,
    output: [
      /File "(?<file>[^"\n]+)", line (?<line>\d+)\n(?:.*\n){0,3}(?:E\s+)?(?:SyntaxError|IndentationError|TabError): /,
    ],
    means: 'Python cannot parse {file} at line {line}.',
    run: ['python -m py_compile {file}'],
    sample: {
      command: 'python3 tool.py',
      exit: 1,
      output: `  File "/srv/app/tool.py", line 2\n    return 1\n    ^\nIndentationError: expected an indented block after function definition on line 1`,
    },
  },
  {
    name: 'python-file-missing',
    obvious: true,
    output: [/^(?:E\s+)?FileNotFoundError: \[Errno 2\] No such file or directory: '(?<file>[^'\n]+)'/m],
    means: 'The program opened {file}, which does not exist; a relative path is looked up from the current directory.',
    run: ['pwd', 'ls -la'],
    sample: {
      command: 'python load.py',
      exit: 1,
      output: `Traceback (most recent call last):\n  File "load.py", line 3, in <module>\n    open("data/in.csv")\nFileNotFoundError: [Errno 2] No such file or directory: 'data/in.csv'`,
    },
  },
  {
    name: 'pip-externally-managed',
    output: [/error: externally-managed-environment/],
    means: 'The system keeps its Python for itself; packages of a project belong into a virtual environment.',
    run: ['python3 -m venv .venv', '.venv/bin/python -m pip install -r requirements.txt'],
    sample: {
      command: 'pip install requests',
      exit: 1,
      output: `error: externally-managed-environment\n\n× This environment is externally managed\n╰─> To install Python packages system-wide, try apt install\n    python3-xyz, where xyz is the package you are trying to\n    install.`,
    },
  },
  {
    name: 'pip-no-such-version',
    output: [/No matching distribution found for (?<package>[\w.[\]-]+)/],
    means: 'No version of {package} fits: the name is misspelt, or none is built for this Python.',
    run: ['python --version', 'python -m pip index versions {package}'],
    sample: {
      command: 'python -m pip install tensorflow==1.15',
      exit: 1,
      output: `ERROR: Could not find a version that satisfies the requirement tensorflow==1.15 (from versions: 2.12.0, 2.13.0)\nERROR: No matching distribution found for tensorflow==1.15`,
    },
  },
  {
    name: 'pip-conflict',
    output: [
      /ResolutionImpossible|because these package versions have conflicting dependencies/,
      /No solution found when resolving dependencies/,
    ],
    means: 'Two of the required Python packages ask for versions that exclude each other.',
    run: ['python -m pip check', 'python -m pip list'],
    sample: {
      command: 'pip install -r requirements.txt',
      exit: 1,
      output: `ERROR: Cannot install -r requirements.txt (line 1) and urllib3==2.2.1 because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    The user requested urllib3==2.2.1\n    botocore 1.29.0 depends on urllib3<1.27 and >=1.25.4\n\nERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/`,
    },
  },
  {
    name: 'pip-requirements-missing',
    output: [/Could not open requirements file: .*'(?<file>[^'\n]+)'/],
    means: 'There is no {file} here: the project lists its packages elsewhere, or this is the wrong directory.',
    run: ['git ls-files "*requirements*" pyproject.toml setup.py', 'python -m pip install -e .'],
    sample: {
      command: 'pip install -r requirements.txt',
      exit: 1,
      output: `ERROR: Could not open requirements file: [Errno 2] No such file or directory: 'requirements.txt'`,
    },
  },
  {
    name: 'python-not-installable',
    output: [/Neither 'setup\.py' nor 'pyproject\.toml' found/],
    means: 'The directory given to pip is no Python project: the project is in another directory.',
    run: ['git ls-files "*pyproject.toml" "*setup.py"'],
    sample: {
      command: 'pip install -e .',
      exit: 1,
      output: `ERROR: Directory '.' is not installable. Neither 'setup.py' nor 'pyproject.toml' found.`,
    },
  },
  {
    name: 'python-build-failed',
    output: [/Failed building wheel for (?<package>[\w.-]+)/, /error: metadata-generation-failed/],
    means:
      'A package without a ready build for this Python was compiled here, and that failed: a compiler, headers or an older Python is missing.',
    run: ['python --version', 'python -m pip install --upgrade pip setuptools wheel'],
    sample: {
      command: 'pip install psycopg2',
      exit: 1,
      output: `  error: subprocess-exited-with-error\n  × Building wheel for psycopg2 (pyproject.toml) did not run successfully.\n  Error: pg_config executable not found.\n  ERROR: Failed building wheel for psycopg2\nERROR: Could not build wheels for psycopg2, which is required to install pyproject.toml-based projects`,
    },
  },
  {
    name: 'poetry-lock-old',
    output: [
      /pyproject\.toml changed significantly since poetry\.lock was last generated|poetry\.lock is not up to date with pyproject\.toml/,
    ],
    means: 'pyproject.toml was changed after poetry.lock was written.',
    run: ['poetry lock', 'poetry install'],
    sample: {
      command: 'poetry install',
      exit: 1,
      output: `Installing dependencies from lock file\n\npyproject.toml changed significantly since poetry.lock was last generated. Run \`poetry lock\` to fix the lock file.`,
    },
  },
  {
    name: 'uv-lock-old',
    output: [/The lockfile at `uv\.lock` needs to be updated/],
    means: 'pyproject.toml was changed after uv.lock was written.',
    run: ['uv lock', 'uv sync'],
    sample: {
      command: 'uv sync --locked',
      exit: 2,
      output:
        'Resolved 12 packages in 3ms\nerror: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided. To update the lockfile, run `uv lock`.',
    },
  },
  {
    name: 'venv-module-missing',
    output: [/The virtual environment was not created successfully because ensurepip is not\s+available/],
    means: 'The Python of this system comes without the part that makes virtual environments.',
    run: ['python3 -m venv --without-pip .venv', 'uv venv'],
    sample: {
      command: 'python3 -m venv .venv',
      exit: 1,
      output: `The virtual environment was not created successfully because ensurepip is not\navailable.  On Debian/Ubuntu systems, you need to install the python3-venv\npackage using the following command.\n\n    apt install python3.11-venv`,
    },
  },
  {
    name: 'python-exception',
    vague: true,
    output: [/^ {2,}\S.*\n(?<error>(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit))(?::|$)(?!.*\n\n?During handling)/m],
    means: 'The program ended with {error}; the last frame before it is where it happened.',
    run: [],
    sample: {
      command: 'python fix.py',
      exit: 1,
      output: `Traceback (most recent call last):\n  File "/srv/fix.py", line 9, in <module>\n    print(result.shape)\nNameError: name 'result' is not defined`,
    },
  },
]
