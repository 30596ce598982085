// Who sees an item, in words to choose from.
const words = {
  private: 'Private: only you see it',
  public: 'Public: everybody sees it, votes and comments',
  official: 'Official: public, and Guildhall stands behind it',
} as const

export const visibilityChoices = (role: string | undefined) =>
  (['private', 'public', ...(role === 'admin' ? (['official'] as const) : [])] as const).map((value) => ({
    value,
    label: words[value],
  }))
