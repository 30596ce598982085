// What the authorization server hands to one of its pages (src/oauth/consent/view.ts). Such a page has nothing of its own to show:
// without a view it is not there.
import { error } from '@sveltejs/kit'
import { readerWords } from './answers.ts'

type View = NonNullable<App.Platform['view']>

/** The data of the page at `route`, which stands alone: its script has the keys and nothing else (enhance/keys-alone.ts). A request from outside gets 404. */
export function viewFor<Route extends View['route']>({ platform }: { platform?: App.Platform }, route: Route) {
  const view = platform?.view
  if (view?.route !== route) error(404, readerWords()('errors.page.404'))
  return {
    view: view as Extract<View, { route: Route }>,
    development: platform?.development,
    alone: true,
  }
}
