// Where drafts of forms are kept: by the path of their page. The words in the address of a thing change with its title, and its drafts stay.

export const draftPath = (pathname: string): string => pathname.replace(/^(\/community\/[a-z]+\/[1-9]\d*)-[^/]*/, '$1')
