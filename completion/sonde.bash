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
	# readline cuts words at colons, too, and completes what is behind the last one.
	local word last= whole=() kept=
	for word in "${words[@]}"; do
		if [[ ${#whole[@]} != 0 && ( $word == :* || $last == *: ) ]]; then
			last+=$word whole[${#whole[@]}-1]=$last
		else
			last=$word whole+=("$word")
		fi
	done
	words=("${whole[@]}")
	[[ $cur != [:=] ]] || cur=
	kept=${last%"$cur"}
	COMPREPLY=()
	while read -r line; do
		case $line in
		:files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$cur")) ;;
		:directories) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$cur")) ;;
		:command) compopt -o filenames; COMPREPLY+=($(compgen -c -- "$cur")) ;;
		*) line=${line%%$'\t'*} COMPREPLY+=("${line#"$kept"}") ;;
		esac
	done < <("$sonde" completion -- "${words[@]}" 2>/dev/null)
}

complete -F _sonde sonde @TOOLS@
