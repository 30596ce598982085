// completion: scripts for shells, derived from the table of commands.
import type { Command, Context } from './command.ts'
import { shared } from './shared-options.ts'
import { UsageError } from './usage.ts'

interface Completed {
  /** One word, or two such as `bug new`. */
  name: string
  summary: string
  options: string[]
}

const named = (options: object) => Object.keys(options).map((name) => `--${name}`)

/** The table of commands: what is completed of each. */
export type Table = Readonly<Record<string, Pick<Command, 'summary' | 'options'>>>

/** Every command with the options that it takes. */
function all(table: Table): Completed[] {
  return Object.entries(table).map(([name, { summary, options = {} }]) => ({
    name,
    summary,
    options: named({ ...options, ...shared }).sort(),
  }))
}

/** Command by command what can come after it: the second words of commands of two words. */
const secondWords = (rows: readonly Completed[]): Map<string, string[]> => {
  const words = new Map<string, string[]>()
  for (const { name } of rows) {
    const [first = '', second] = name.split(' ')
    if (second !== undefined) words.set(first, [...(words.get(first) ?? []), second])
  }
  return words
}

const shells: Readonly<Record<string, (rows: readonly Completed[]) => string>> = { bash, zsh, fish }

/** Writes the script that completes these commands in a shell. */
export async function completion({ write }: Context, shell: string, table: Table): Promise<void> {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!script) throw new UsageError('guildhall completion bash|zsh|fish')
  await write(script(all(table)))
}

const firstWords = (rows: readonly Completed[]) =>
  [...new Set(['help', ...rows.map(({ name }) => name.split(' ')[0] as string)])].sort()

/** The patterns of `case` for what was written so far: the command, and of a word of two its second word. */
function cases(rows: readonly Completed[], line: (pattern: string, words: string) => string): string {
  const seconds = [...secondWords(rows)].map(([first, second]) => line(`'${first} '`, second.join(' ')))
  const options = rows.map(({ name, options }) =>
    line(`'${name.includes(' ') ? name : `${name} `}'*`, options.join(' ')),
  )
  return [...seconds, ...options].join('\n')
}

function bash(rows: readonly Completed[]): string {
  return `# bash completion of guildhall
_guildhall() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${firstWords(rows).join(' ')}'
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]/"$current"/}" in
${cases(rows, (pattern, words) => `      ${pattern}) words='${words}' ;;`)}
      'help '*) words='${firstWords(rows).join(' ')}' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _guildhall guildhall
`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function zsh(rows: readonly Completed[]): string {
  const described = rows
    .filter(({ name }) => !name.includes(' '))
    .map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`)
  const groups = [...secondWords(rows).keys()].map((name) => `    ${quoted(name)}`)
  return `#compdef guildhall
_guildhall() {
  local -a first
  first=(
${[...described, ...groups].join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command first
    return
  fi
  local third=''
  (( CURRENT > 3 )) && third="\${words[3]}"
  case "\${words[2]} $third" in
${cases(rows, (pattern, words) => `    ${pattern}) compadd -- ${words} ;;`)}
  esac
  _files
}
compdef _guildhall guildhall
`
}

function fish(rows: readonly Completed[]): string {
  const lines = rows.flatMap(({ name, summary, options }) => {
    const [first = '', second] = name.split(' ')
    const begin =
      second === undefined
        ? `complete -c guildhall -n __fish_use_subcommand -f -a ${first} -d ${quoted(summary)}`
        : `complete -c guildhall -n '__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${second}' -f -a ${second} -d ${quoted(summary)}`
    const seen = name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
    return [begin, ...options.map((option) => `complete -c guildhall -n '${seen}' -l ${option.slice(2)}`)]
  })
  const groups = [...secondWords(rows).keys()].map(
    (name) => `complete -c guildhall -n __fish_use_subcommand -f -a ${name}`,
  )
  return `# fish completion of guildhall\n${[...groups, ...lines].join('\n')}\n`
}
