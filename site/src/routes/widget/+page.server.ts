// The page that other sites show in a frame. What it shows of the community its script reads, with the token of a person of the site or with none.
import { error } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { readerWords } from '#lib/server/answers.ts'
import { Severity } from '../../../../src/community/bugs/subject.ts'
import { type Chosen, styleOf, unreadable } from '../../../../src/config/colors.ts'
import type { PageServerLoad } from './$types'

const VIEWS = ['bug', 'ideas', 'news'] as const
const OPERATIONS = { bug: 'bugs.create', ideas: 'features.list', news: 'changelog.list' } as const

/** The colours of the host, where they can be read. */
function inAccent(looks: App.Platform['looks'], accent: string | null): App.Platform['looks'] {
  if (accent === null || !/^#[0-9a-f]{6}$/i.test(accent)) return looks
  const chosen: Chosen = { ...looks.chosen, accent }
  return unreadable(chosen) === undefined ? { ...looks, chosen, style: styleOf(chosen) } : looks
}

export const load: PageServerLoad = ({ url, locals }) => {
  const { widgetSites, off, isPrivate } = locals.server
  if (widgetSites.length === 0) error(404, readerWords()('errors.page.404'))
  locals.server.looks = inAccent(locals.server.looks, url.searchParams.get('accent'))
  const views = VIEWS.filter((view) => !off.hasOperation(OPERATIONS[view]))
  return {
    isWidget: true,
    /** The site that shows it: the only one that its script talks to. */
    host: widgetSites.find((site) => site === url.searchParams.get('host')) ?? '',
    views,
    view: views.find((view) => view === url.searchParams.get('open')) ?? views[0],
    isPrivate,
    severities: Severity.options as readonly Answer<'bugs.list'>['items'][number]['severity'][],
  }
}
