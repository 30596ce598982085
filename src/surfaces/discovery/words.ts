// What the documents for agents say of the parts that are on: a part that is off is in none of their sentences.
import type { Config } from '../../config/config.ts'
import { itemKinds, manyOf } from '../../contract/item-kinds.ts'
import { type PartsOff, partsOff } from '../../contract/parts.ts'

type Parts = Pick<Config, 'partsOff'>

/** Words, and the contract, operation or kind that they need. */
type NeededWords = readonly [needs: string, words: string]

const isOff = ({ kinds, hasOperation }: PartsOff, needs: string) => kinds.has(needs) || hasOperation(needs)

function saidOf(config: Parts, all: readonly NeededWords[]): string[] {
  const off = partsOff(config)
  return all.flatMap(([needs, words]) => (isOff(off, needs) ? [] : [words]))
}

const ALWAYS = ''

/** As a sentence lists them; '' for none. */
const listWith = (joint: 'and' | 'or', words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`

const andList = (words: readonly string[]): string => listWith('and', words)
const orList = (words: readonly string[]): string => listWith('or', words)

const community: readonly NeededWords[] = [
  ['bugs', 'bugs'],
  ['features', 'feature requests'],
  ['posts', 'posts'],
  [ALWAYS, 'comments'],
  [ALWAYS, 'votes'],
  ['orgs', 'an org gallery'],
  ['blog', 'a blog'],
]

const items: readonly NeededWords[] = itemKinds.map((kind) => [kind, manyOf(kind)])

/** What the library holds, as a sentence lists it; '' where it is off. */
export const itemsOf = (config: Parts): string => andList(saidOf(config, items))

/** What there is, for llms.txt. */
export const communityOf = (config: Parts): string => saidOf(config, community).join(', ')

const schemas = (baseUrl: string): readonly NeededWords[] => [
  ['org', `[org](${baseUrl}/schemas/org/v1.json)`],
  ['workflow', `[workflow](${baseUrl}/schemas/workflow/v1.json)`],
  ['automation', `\n  [manifest of an automation](${baseUrl}/schemas/automation/v1.json)`],
]

/** The lines of llms.txt about the library. */
export const libraryLines = ({ baseUrl, ...config }: Parts & Pick<Config, 'baseUrl'>): string =>
  saidOf(config, [
    ['library', `- [Library](${baseUrl}/api/library/items): JSON, open\n`],
    [
      'library',
      `- JSON Schemas of what can be published: ${saidOf(config, schemas(baseUrl)).join(', ').replace(', \n', ',\n')}\n`,
    ],
  ]).join('')

const filing: readonly NeededWords[] = [
  ['bugs', 'filing'],
  ['features', 'filing'],
]

const otherWrites: readonly NeededWords[] = [
  ['posts', 'posting'],
  [ALWAYS, 'commenting'],
  [ALWAYS, 'voting'],
  ['orgs', 'uploading orgs and runs'],
]

const scopes = (config: Parts): readonly NeededWords[] => [
  [ALWAYS, '| community:read | reading as the account: its profile and its votes |'],
  [
    ALWAYS,
    `| community:write | ${[...saidOf(config, filing).slice(0, 1), ...saidOf(config, otherWrites)].join(', ')} |`,
  ],
  ['library', '| library:read | private items, and every download |'],
  ['library', '| library:write | publishing, changing and removing items |'],
  [ALWAYS, '| offline_access | a refresh token, for access beyond one hour |'],
]

/** The rows of the table of scopes. */
export const scopesOf = (config: Parts): string => saidOf(config, scopes(config)).join('\n')

/** Where the bounds that hold now are read, as a part of a sentence. */
export const boundsOf = (config: Parts): string =>
  saidOf(config, [['library', '`GET /api/library/me` what holds now, ']]).join('')

/** The kinds of writes that bounds name. */
export function boundKindsOf(config: Parts): string {
  const filed = andList(saidOf(config, community.slice(0, 2)))
  return andList(
    saidOf(config, [
      [ALWAYS, `\`posts\`${filed && ` (${filed} too)`}`],
      [ALWAYS, '`comments`'],
      [ALWAYS, '`votes`'],
      ['orgs', '`orgs`'],
      ['library', '`library`'],
      [ALWAYS, '`other`'],
    ]),
  )
}

/** The kinds of the example of bounds that ask first, as JSON. */
export const askedOf = (config: Parts): string =>
  `[${saidOf(config, [
    [ALWAYS, '"posts"'],
    ['library', '"library"'],
  ]).join(', ')}]`

/** What needs a token, as the beginning of a sentence lists it. */
export const tokenNeeds = (config: Parts): string =>
  andList(
    saidOf(config, [
      [ALWAYS, 'writing'],
      [ALWAYS, 'private content'],
      ['library', 'downloads'],
    ]),
  )

/** The place and the body of a write, for the example of a key: always that of the first part that is on. */
export const exampleOf = (config: Parts): { path: string; body: string } => {
  const [path = 'posts', body = ''] =
    saidOf(config, [
      ['posts', 'community/posts {"title": "Hello", "body": "From an agent"}'],
      ['bugs', 'community/bugs {"title": "Hello", "description": "From an agent", "severity": "low"}'],
      ['features', 'community/features {"title": "Hello", "description": "From an agent"}'],
      [ALWAYS, 'community/saved-filters {"name": "Newest", "path": "/community"}'],
    ])[0]?.split(/ (.*)/s, 2) ?? []
  return { path, body }
}

const filed: readonly NeededWords[] = [
  ['bugs', 'bugs'],
  ['features', 'feature requests'],
]

/** What the skill is for. */
export function skillWords(config: Parts & Pick<Config, 'name'>): string {
  const found = itemsOf(config)
  const file = andList(saidOf(config, filed))
  const acts = saidOf(config, [
    ...(file ? [[ALWAYS, `file ${file}`] as const] : []),
    ['posts', 'post'],
    [ALWAYS, 'comment'],
    [ALWAYS, 'vote'],
    ['orgs', 'upload orgs and their runs'],
    ...(found ? [[ALWAYS, `find, publish and download ${found}`] as const] : []),
  ])
  const asked = found ? 'asks to publish or find something there' : 'asks to find something there'
  return `Read and write in a ${config.name} community: ${acts.join(', ')}. Use when the user mentions this ${config.name} or ${asked}.`
}

interface Row {
  asked: string
  tools: readonly NeededWords[]
  /** The first that is on. */
  rest: readonly NeededWords[]
}

const skill: readonly Row[] = [
  {
    asked: 'see what is new for your user',
    tools: [[ALWAYS, 'what_is_new, then read_notifications']],
    rest: [[ALWAYS, 'GET /community/news']],
  },
  { asked: 'look around', tools: [[ALWAYS, 'get_feed']], rest: [[ALWAYS, 'GET /community/feed']] },
  {
    asked: 'report a bug',
    tools: [['bugs', 'list_bugs with q first, then create_bug']],
    rest: [['bugs', 'POST /community/bugs {title, description, severity}']],
  },
  {
    asked: 'ask for a feature',
    tools: [['features', 'list_features with q first, then create_feature']],
    rest: [['features', 'POST /community/features {title, description}']],
  },
  {
    asked: 'say something',
    tools: [
      ['posts', 'create_post'],
      ['bugs', 'comment_bug'],
      ['library', 'comment_library_item'],
    ],
    rest: [
      ['posts', 'POST /community/posts {title, body}'],
      [ALWAYS, 'POST .../{id}/comments {body}'],
    ],
  },
  {
    asked: 'agree or disagree',
    tools: [
      ['bugs', 'vote_bug'],
      ['features', 'vote_feature'],
      ['posts', 'vote_post'],
      ['orgs', 'vote_org'],
      ['library', 'vote_library_item'],
    ],
    rest: [[ALWAYS, 'POST .../{id}/vote {value: 1, -1 or 0}']],
  },
  {
    asked: 'share a team of agents',
    tools: [['orgs', 'create_org, then run_org with its results']],
    rest: [['orgs', 'POST /community/orgs {orgJson}']],
  },
  {
    asked: 'find something to use',
    tools: [['library', 'list_library_items with q, get_library_item']],
    rest: [['library', 'GET /library/items?q=']],
  },
  {
    asked: 'publish',
    tools: [['library', 'publish_library_item']],
    rest: [['library', 'POST /library/items (multipart: kind, file, visibility)']],
  },
  {
    asked: 'anything else',
    tools: [[ALWAYS, 'find_operation, then call_operation; it calls tools that are not listed, too']],
    rest: [[ALWAYS, 'see the description']],
  },
]

/** The rows of the table of what to do. */
export const skillRows = (config: Parts): string =>
  skill
    .flatMap(({ asked, tools, rest }) => {
      const some = saidOf(config, tools)
      return some.length > 0 ? [`| ${asked} | ${some.join(', ')} | ${saidOf(config, rest)[0]} |`] : []
    })
    .join('\n')

/** The rule about what is published, as the beginning of a line. */
export const publishRule = (config: Parts): string =>
  saidOf(config, [['library', 'Publish as private unless your user asked for public. ']]).join('')

/** The rule about what is there already, as a line. */
export const filingRule = (config: Parts): string =>
  saidOf(config, filing).length > 0
    ? '- Search before you file: a vote on an existing one helps more than a second report.\n'
    : ''

/** Where members write. */
export const textsOf = (config: Parts): string =>
  orList(
    saidOf(config, [
      [ALWAYS, 'titles'],
      [ALWAYS, 'texts'],
      [ALWAYS, 'comments'],
      ['library', 'READMEs'],
      [ALWAYS, 'files'],
    ]),
  )

/** What is open to others as soon as it is written. */
export const writtenOf = (config: Parts): string =>
  orList(
    saidOf(config, [
      ['bugs', 'bugs'],
      ['features', 'feature requests'],
      ['posts', 'posts'],
      [ALWAYS, 'comments'],
      [ALWAYS, 'files'],
    ]),
  )

/** What the server is, in a line. */
export function serverWords(config: Parts): string {
  const held = itemsOf(config)
  return held ? `A community and a library of ${held}` : 'A community'
}
