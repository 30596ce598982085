// Folders of languages that an operator adds, for tests.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files of languages, by their tags and names; a text is written as it is. */
export type LanguageFiles = Record<string, Record<string, string | Record<string, unknown>>>

/** A new folder with these languages. */
export function languagesFolder(languages: LanguageFiles): string {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-languages-'))
  for (const [tag, files] of Object.entries(languages)) {
    mkdirSync(join(folder, tag))
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, tag, name), typeof content === 'string' ? content : JSON.stringify(content))
    }
  }
  return folder
}

export const french = {
  'language.json': { name: 'Français' },
  'home.json': { hero: 'Là où les gens et leurs agents échangent', heroText: '' },
  'frame.json': { community: "Communauté '<'img src=x onerror=alert(1)>" },
  'ui.json': {
    copy: "Copier '<'script>alert(1)'<'/script>",
    comments: '{count, plural, one {{shown} commentaire} many {{shown} de commentaires} other {{shown} commentaires}}',
  },
  'errors.json': { 'page.404': 'Cette page n’existe pas' },
  'refusals.json': { usernameTaken: 'est déjà pris ; choisissez-en un autre' },
  'script.json': {
    'palette.count': '{count, plural, one {# résultat} many {# de résultats} other {# résultats}}',
    'page.copied': "C''est copié",
  },
  'mails.json': {
    'code.verify-email.subject': 'Vérifiez votre adresse',
    'code.verify-email.lead': "Saisissez ce code sur {site} '<'b>pour vérifier'<'/b> votre adresse :",
    'html.sentBy': 'Envoyé par <link>{host}</link>.',
  },
}
