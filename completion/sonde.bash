# SPDX-License-Identifier: GPL-2.0
#
# Completion for bash: sonde and the tools it is linked as. sonde itself says what fits (`sonde completion -- WORD...`), from
# the tables that its tools are parsed by. bash-completion looks for a file of the command's name: link this one for each tool.

_sonde()
{
	local IFS=$'\n' sonde=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} line
	local words=("${COMP_WORDS[@]:1:COMP_CWORD}")

	if [[ ${sonde##*/} != sonde ]]; then
		words=("${sonde##*/}" "${words[@]}")
		sonde=${sonde%"${sonde##*/}"}sonde
	fi
	[[ $cur != '=' ]] || cur=
	COMPREPLY=()
	while read -r line; do
		case $line in
		:files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$cur")) ;;
		:directories) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$cur")) ;;
		:command) compopt -o filenames; COMPREPLY+=($(compgen -c -- "$cur")) ;;
		*) COMPREPLY+=("${line%%$'\t'*}") ;;
		esac
	done < <("$sonde" completion -- "${words[@]}" 2>/dev/null)
}

complete -F _sonde sonde @TOOLS@
