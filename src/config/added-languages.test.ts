// The folder of added languages: what a start refuses, and what the command says of it.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { french, type LanguageFiles, languagesFolder } from '../../test/added-languages.ts'
import { runCommand } from '../../test/operator.ts'
import { MAX_MESSAGE } from '../language/added.ts'
import { language } from '../operator/language.ts'
import { languageBounds } from './added-languages.ts'
import { type Config, ConfigError, readConfig } from './config.ts'

function withLanguages<Result>(languages: LanguageFiles, work: (folder: string) => Result): Result {
  const folder = languagesFolder(languages)
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const started = (LANGUAGES_DIR: string): Config => readConfig({ LANGUAGES_DIR })

/** The sentences with which a start is refused, without the folder. */
function refusal(folder: string): string {
  try {
    started(folder)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.replaceAll(`${folder}/`, '').replaceAll(folder, 'FOLDER')
  }
  return ''
}

const named = { 'language.json': { name: 'Français' } }
const refused = (languages: LanguageFiles) => withLanguages(languages, refusal)
const withMessage = (area: string, message: unknown) =>
  refused({ fr: { ...named, [`${area}.json`]: message as object as Record<string, unknown> } })

describe('the folder of added languages', () => {
  it('gives the messages that English has, by area and name', () => {
    const { languages } = withLanguages({ fr: { ...french, 'blog.json': { nothing: 'x' } }, 'pt-BR': named }, started)
    assert.deepEqual([...languages.keys()], ['fr', 'pt-BR'])
    const texts = languages.get('fr')?.texts ?? {}
    assert.equal(texts['mails.code.verify-email.subject'], 'Vérifiez votre adresse')
    assert.ok(!('home.heroText' in texts) && !('blog.nothing' in texts))
    assert.equal(readConfig({}).languages.size, 0)
  })

  it('is refused where a message has other placeholders, tags or choices, with its file and name', () => {
    const cases: [area: string, message: Record<string, unknown>, sentence: RegExp][] = [
      [
        'mails',
        { 'code.body': '{lead} {kode}' },
        /^fr\/mails\.json: code\.body has the placeholders kode, lead, and the English one has code, lead\.$/,
      ],
      ['mails', { 'code.body': 'no more' }, /code\.body has the placeholders none, and the English one has code, lead/],
      ['mails', { 'html.sentBy': '{host}' }, /html\.sentBy has the tags none, and the English one has link/],
      ['mails', { 'html.sentBy': '<b>{host}</b>' }, /html\.sentBy has the tags b, /],
      ['mails', { 'html.sentBy': '<link><link>{host}</link></link>' }, /html\.sentBy cannot be read .*has a tag in it/],
      ['ui', { copy: '<script>alert(1)</script>' }, /copy has the tags script, and the English one has none/],
      ['ui', { copy: '{open' }, /copy cannot be read as ICU MessageFormat/],
      ['ui', { copy: 7 }, /copy is not a text/],
      ['ui', { copy: ['x'] }, /copy is not a text/],
      ['ui', { copy: 'a\u0000b' }, /copy has control characters/],
      ['ui', { copy: 'a\nb' }, /copy has a line break/],
      ['ui', { copy: '\ud800' }, /copy has control characters/],
      ['ui', { 'vote.up': '{title, plural, one {a} other {b}}' }, /vote\.up uses \{title\} in another way/],
      ['ui', { 'vote.net': '{count, date}' }, /vote\.net cannot be read/],
      ['ui', { 'vote.net': '{count, number, ::currency/ABCDEFG}' }, /vote\.net cannot be read/],
      ['community', { total: '{kind, select, other {{count} {shown}}}' }, /total uses \{kind\} in another way/],
    ]
    for (const [area, message, sentence] of cases) assert.match(withMessage(area, message), sentence)
  })

  it('takes other plurals, a number without one, and the name of the server', () => {
    for (const message of [
      { 'vote.net': '{count, plural, one {#} many {#} other {#}}' },
      { 'vote.net': '{count}' },
      { 'vote.net': '{count, number}' },
      { copy: 'Copier de {site}' },
      { copy: "L'ami" },
    ]) {
      assert.equal(withMessage('ui', message), '', JSON.stringify(message))
    }
  })

  it('has messages and files of a bounded length', () => {
    assert.equal(withMessage('ui', { copy: 'x'.repeat(MAX_MESSAGE) }), '')
    assert.match(withMessage('ui', { copy: 'x'.repeat(MAX_MESSAGE + 1) }), /copy has more than 4000 characters/)
    const ofBytes = (bytes: number) => refused({ fr: { ...named, 'ui.json': `{}${' '.repeat(bytes - 2)}` } })
    assert.equal(ofBytes(languageBounds.fileBytes), '')
    assert.match(ofBytes(languageBounds.fileBytes + 1), /^fr\/ui\.json has more than 300000 bytes\.$/)
    const name = (length: number) => refused({ fr: { 'language.json': { name: 'x'.repeat(length) } } })
    assert.equal(name(languageBounds.name), '')
    assert.match(name(languageBounds.name + 1), /^fr\/language\.json has no name/)
  })

  it('has a bounded number of languages', () => {
    const tags = [
      'fr',
      'es',
      'it',
      'pt',
      'nl',
      'pl',
      'cs',
      'sv',
      'da',
      'fi',
      'el',
      'hu',
      'ro',
      'bg',
      'hr',
      'sk',
      'sl',
      'lt',
      'lv',
      'et',
      'ga',
    ]
    const of = (count: number) => refused(Object.fromEntries(tags.slice(0, count).map((tag) => [tag, named])))
    assert.equal(of(languageBounds.languages), '')
    assert.match(of(languageBounds.languages + 1), /^LANGUAGES_DIR has 21 languages; it may have at most 20\.$/)
  })

  it('has folders that are named by tags, with the name of the language', () => {
    for (const tag of ['de', 'en']) assert.match(refused({ [tag]: named }), /is a language that Guildhall has/)
    for (const tag of ['FR', 'french', 'fr_CA', 'fr-ca', 'x', 'iw', '__proto__'])
      assert.match(refused({ [tag]: named }), /is not named by the tag of a language/, tag)
    for (const tag of ['fr', 'fr-CA', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'tlh'])
      assert.equal(refused({ [tag]: named }), '')
    assert.match(refused({ fr: {} }), /^fr\/language\.json is missing/)
    for (const name of ['', 7, '<b>', 'a\nb', 'a\u202eb'])
      assert.match(refused({ fr: { 'language.json': { name } } }), /^fr\/language\.json has no name/)
  })

  it('has JSON objects in plain files alone', () => {
    for (const text of ['', '[]', 'null', '"x"', '{"a": }'])
      assert.match(refused({ fr: { ...named, 'ui.json': text } }), /^fr\/ui\.json is not a JSON object\.$/, text)
    withLanguages({ fr: named }, (folder) => {
      symlinkSync('/etc/passwd', join(folder, 'fr', 'ui.json'))
      assert.match(refusal(folder), /^fr\/ui\.json is not a plain file/)
      rmSync(join(folder, 'fr', 'ui.json'))
      mkdirSync(join(folder, 'fr', 'ui.json'))
      assert.match(refusal(folder), /^fr\/ui\.json is not a plain file/)
    })
    withLanguages({ fr: named }, (folder) => {
      mkdirSync(join(folder, '.git'))
      assert.equal(refusal(folder), '')
      symlinkSync(join(folder, 'fr'), join(folder, 'es'))
      writeFileSync(join(folder, 'README.md'), 'x')
      assert.equal(refusal(folder).match(/is not a folder of a language/g)?.length, 2)
    })
    assert.match(refusal('/nowhere/at/all'), /^FOLDER cannot be read/)
  })

  it('takes the example of the handbook', () => {
    const page = readFileSync('content/docs/languages.md', 'utf8')
    const files = [...page.matchAll(/^cat > (\w+\.json) <<'END'\n(.+)\nEND$/gm)].map(([, file = '', text = '']) => [
      file,
      text,
    ])
    assert.deepEqual(
      files.map(([file]) => file),
      ['home.json', 'ui.json'],
    )
    assert.equal(refused({ fr: { ...named, ...Object.fromEntries(files) } }), '')
  })

  it('is complained about with all that is wrong at once', () => {
    const wrong = refused({ fr: { ...named, 'ui.json': { copy: '{a}', 'vote.score': '{b}' } }, es: {} })
    assert.equal(wrong.split('\n').length, 3, wrong)
  })
})

describe('npm run admin -- language check', () => {
  const checked = async (files: LanguageFiles[string], verb = 'check') => {
    const folder = languagesFolder({ fr: files })
    try {
      return await runCommand(language, {}, { parameters: [verb, join(folder, 'fr')] })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  type Found = { tag: string; missing: string[]; unknown: string[]; wrong: string[] }

  it('says what is missing, unknown and wrong', async () => {
    const good = await checked(french)
    const [found] = good.results as Found[]
    assert.deepEqual([good.code, good.complaints, found?.unknown, found?.tag], [0, [], [], 'fr'])
    const missing = found?.missing ?? []
    assert.ok(missing.includes('home.heroText') && missing.includes('search.title'), missing.join())
    assert.ok(!missing.includes('home.hero') && !missing.includes('mails.notices.above'))
    const files = {
      ...french,
      'notes.txt': 'x',
      'ui.json': { copy: '{a}', no: 'x' },
      'mails.json': { 'notices.above': 'x' },
    }
    const bad = await checked(files)
    const [wrong] = bad.results as Found[]
    assert.equal(bad.code, 1)
    assert.deepEqual(wrong?.unknown.toSorted(), ['mails.notices.above', 'notes.txt', 'ui.no'])
    assert.match(bad.complaints.join('\n'), /ui\.json: copy has the placeholders a/)
    assert.ok(!wrong.missing.includes('ui.copy') && wrong.missing.includes('ui.vote.score'))
    assert.equal((await checked({ ...french, 'blog.json': { no: 'x' } })).code, 1)
    assert.equal((await checked(french, 'make')).code, 2)
  })
})
