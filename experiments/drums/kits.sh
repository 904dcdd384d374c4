#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2154
#
# kits.sh - drum kits of single sounds that are installed for other programs; to be sourced.
#   Most of Hydrogen's kits are acoustic ones: LMMS and Sonic Pi bring drum machines and synthesised drums. A kit is a folder
#   with drumkit.xml and links to the sounds, as Hydrogen has it, so that `loco synth drums --kits` reads it. None has a name
#   that is held out. Left out: sounds of several strokes, bass strokes of hands, what no reader of Ogg reads (kick04), and
#   what has no licence of its own (sn_generic, bd_mehackit).

# kit FOLDER AUTHOR LICENCE: begins one, in $kit; parts follow, then kit_end.
kit()
{
    kit=$1
    mkdir -p "$kit"
    printf '<drumkit_info>\n <name>%s</name>\n <author>%s</author>\n <license>%s</license>\n <instrumentList>\n' \
        "$(basename "$1")" "$2" "$3" >"$kit/drumkit.xml"
}

# part NAME FOLDER FILE...: an instrument of the kit for each file that is there; the name says which part.
part()
{
    local file
    for file in "${@:3}"; do
        [[ -f $2/$file ]] || continue
        ln -sf "$2/$file" "$kit/$file"
        printf '  <instrument><name>%s</name><layer><filename>%s</filename></layer></instrument>\n' "$1" "$file" \
            >>"$kit/drumkit.xml"
    done
}

kit_end()
{
    printf ' </instrumentList>\n</drumkit_info>\n' >>"$kit/drumkit.xml"
}

# machine_hats: the sampled hi-hats of drum machines, of which Sonic Pi has none.
machine_hats()
{
    part 'hi-hat closed' "$lmms_folder" hihat_closed0{1,2,3,4,5}.ogg
    part 'hi-hat pedal' "$lmms_folder" hihat_foot_pedal01.ogg
    part 'hi-hat open' "$lmms_folder" hihat_opened0{1,2,3}.ogg
}

# lmms_rest: what its two kits share.
lmms_rest()
{
    machine_hats
    part 'side stick' "$lmms_folder" rim01.ogg nasty_rim01.ogg sidestick01.ogg
    part clap "$lmms_folder" clap0{1,2,3,4}.ogg
    part crash "$lmms_folder" crash0{1,2}.ogg
    part ride "$lmms_folder" ride0{1,2}.ogg
    part 'tom low' "$lmms_folder" tom_low01.ogg tom01.ogg
    part 'tom mid' "$lmms_folder" tom_mid01.ogg tom0{2,3}.ogg zap0{1,2,3}.ogg
    part 'tom hi' "$lmms_folder" tom_hi01.ogg tom0{4,5}.ogg
    part shaker "$lmms_folder" shaker0{1,2,3}.ogg
    part wood "$lmms_folder" clav0{1,2}.ogg wood01.ogg
    kit_end
}

lmms_kits()
{
    local made=('Tobias Doerffel and others (LMMS)' GPL-2+)
    kit "$1/LMMS-beats" "${made[@]}"
    part kick "$lmms_folder" bassdrum0{1,2,3,4}.ogg bassdrum_acoustic0{1,2}.ogg kick_hiphop01.ogg kick_soft0{1,2}.ogg
    part snare "$lmms_folder" snare0{1,2,3,4,5,6,7}.ogg snare_acoustic01.ogg snare_hiphop0{1,2}.ogg snare_muffled0{1,2}.ogg
    lmms_rest
    kit "$1/LMMS-machines" "${made[@]}"
    part kick "$lmms_folder" kick0{1,2,3}.ogg kick_{distorted,hard,hardcore,long}01.ogg
    part snare "$lmms_folder" nasty_snare01.ogg snare_{electro,harsh,short}01.ogg snare0{2,4,6}.ogg
    lmms_rest
}

sonic_pi_kits()
{
    kit "$1/SonicPi-drums" 'menegass, Zajo (freesound.org)' CC0
    part kick "$sonic_pi_folder" drum_bass_{hard,soft}.flac drum_heavy_kick.flac
    part snare "$sonic_pi_folder" drum_snare_{hard,soft}.flac
    part 'hi-hat closed' "$sonic_pi_folder" drum_cymbal_closed.flac
    part 'hi-hat pedal' "$sonic_pi_folder" drum_cymbal_pedal.flac
    part 'hi-hat open' "$sonic_pi_folder" drum_cymbal_open.flac
    part crash "$sonic_pi_folder" drum_cymbal_{hard,soft}.flac drum_splash_{hard,soft}.flac
    part 'tom low' "$sonic_pi_folder" drum_tom_lo_{hard,soft}.flac
    part 'tom mid' "$sonic_pi_folder" drum_tom_mid_{hard,soft}.flac
    part 'tom hi' "$sonic_pi_folder" drum_tom_hi_{hard,soft}.flac
    part cowbell "$sonic_pi_folder" drum_cowbell.flac
    part conga "$sonic_pi_folder" tabla_{na,na_o,na_s,re,tas1,tas2,te1,te2,tun1,tun2}.flac
    kit_end
    kit "$1/SonicPi-machines" 'looppool, EKVelika, Dolfeus and others (freesound.org), Tobias Doerffel and others (LMMS)' \
        'CC0; hi-hats: GPL-2+'
    part kick "$sonic_pi_folder" bd_{808,ada,boom,fat,gas,haus,klub,pure,sone,tek,zome,zum}.flac elec_{hollow,soft}_kick.flac
    part snare "$sonic_pi_folder" sn_{dolf,dub,zome}.flac elec_{snare,hi_snare,lo_snare,mid_snare,filt_snare}.flac
    machine_hats
    part crash "$sonic_pi_folder" elec_cymbal.flac
    part 'tom mid' "$sonic_pi_folder" elec_fuzz_tom.flac
    part clap "$sonic_pi_folder" perc_snap.flac perc_snap2.flac
    part cowbell "$sonic_pi_folder" elec_{bell,chime,ping,triangle,beep}.flac perc_bell.flac
    part wood "$sonic_pi_folder" elec_{wood,tick,pop,plip,blip}.flac
    part conga "$sonic_pi_folder" elec_{bong,blup}.flac
    kit_end
}

# make_kits OUT: a folder of the kits of what is installed; without any, an empty one.
make_kits()
{
    rm -rf "$1"
    mkdir -p "$1"
    [[ ! -d $lmms_folder ]] || lmms_kits "$1"
    [[ ! -d $sonic_pi_folder ]] || sonic_pi_kits "$1"
}
